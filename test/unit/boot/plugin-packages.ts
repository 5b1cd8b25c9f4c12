import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A plugin's package as a test describes it: what its manifest and its entry say besides the least. */
export interface PackageSpec {
  readonly id: string;
  /** Default: `plugin-<id>`. */
  readonly name?: string;
  readonly version?: string;
  /** Laid over the least manifest. */
  readonly manifest?: Readonly<Record<string, unknown>>;
  /** Source of the object that definePlugin is given, laid over the least plugin. */
  readonly plugin?: string;
  /** The whole source of the entry instead. */
  readonly entry?: string;
  readonly optionsSchema?: object;
}

/** Packages in a folder of their own, as they lie in a data directory. */
export class PluginPackages {
  readonly dataDir: string;

  private constructor(dataDir: string) {
    this.dataDir = dataDir;
  }

  static async create(): Promise<PluginPackages> {
    return new PluginPackages(await mkdtemp(join(tmpdir(), 'ductor-plugins-')));
  }

  remove(): Promise<void> {
    return rm(this.dataDir, { recursive: true });
  }

  /** Writes the package, and answers with its folder. */
  async add({ id, name, version, manifest, plugin, entry, optionsSchema }: PackageSpec): Promise<string> {
    const packageName = name ?? `plugin-${id}`;
    const folder = join(this.dataDir, 'plugins', 'node_modules', packageName);
    await mkdir(folder, { recursive: true });
    const description = {
      name: packageName,
      version: version ?? '1.0.0',
      type: 'module',
      ductor: {
        manifestVersion: 1,
        plugin: {
          ...{ id, entry: './plugin.js', pluginApi: '^1.0.0' },
          ...(optionsSchema && { options: './options.schema.json' }),
          ...manifest,
        },
      },
    };
    await writeFile(join(folder, 'package.json'), JSON.stringify(description));
    if (optionsSchema) await writeFile(join(folder, 'options.schema.json'), JSON.stringify(optionsSchema));
    const options = JSON.stringify(optionsSchema ?? { type: 'object' });
    const least = `{ deps: {}, options: ${options}, contribute: () => ({}), ${plugin ?? ''} }`;
    await writeFile(join(folder, 'plugin.js'), entry ?? `export default ${least};`);
    return folder;
  }
}
