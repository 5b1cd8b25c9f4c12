import { type Browser, chromium, type Page } from 'playwright-core';

/** Chromium from the system's packages, which `scripts/test` brings. */
const EXECUTABLE = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** A browser takes its time where other tests have the processor. */
const WITHIN_MS = 100_000;

/** A page in a browser of its own, and all that went wrong in it. */
export interface Visit {
  readonly page: Page;
  /** Errors and warnings on the console, uncaught errors, and requests that failed. */
  readonly complaints: readonly string[];
  /** The addresses of all requests. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

export async function visit(url: string, { dark = false }: { readonly dark?: boolean } = {}): Promise<Visit> {
  // As root in a container the sandbox cannot be had.
  const browser: Browser = await chromium.launch({
    executablePath: EXECUTABLE,
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  });
  try {
    const page = await browser.newPage({
      viewport: { width: 1280, height: 900 },
      colorScheme: dark ? 'dark' : 'light',
    });
    page.setDefaultTimeout(WITHIN_MS);
    const complaints: string[] = [];
    const requests: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('requestfailed', (request) => complaints.push(`${request.url()}: ${request.failure()?.errorText}`));
    page.on('request', (request) => requests.push(request.url()));
    await page.goto(url);
    return { page, complaints, requests, close: () => browser.close() };
  } catch (error) {
    await browser.close();
    throw error;
  }
}
