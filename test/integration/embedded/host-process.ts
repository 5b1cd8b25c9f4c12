import { pino } from 'pino';
import { startEmbeddedPostgres } from '#host/embedded/embedded-postgres.js';

/** A process to be killed: serves the data directory named until its input ends, and says its URL or why it cannot. */
const dataDir = process.argv[2] ?? '';
try {
  const embedded = await startEmbeddedPostgres({ dataDir, log: pino({ level: 'silent' }) });
  process.stdout.write(`${JSON.stringify({ url: embedded.url })}\n`);
  process.stdin.resume().once('end', () => embedded.stop());
} catch (error) {
  process.stdout.write(`${JSON.stringify({ refused: error instanceof Error ? error.message : String(error) })}\n`);
}
