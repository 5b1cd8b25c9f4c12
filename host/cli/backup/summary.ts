import type { Manifest } from '../../backup/manifest.ts';
import { bytesText } from '../text.ts';

/** What a backup amounts to, for machines and for people. */
export function summary(manifest: Manifest): { readonly json: object; readonly text: string } {
  const { folders: _, files, links: __, ...facts } = manifest;
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return { json: { ...facts, files: files.length, bytes }, text: `${files.length} files, ${bytesText(bytes)}` };
}
