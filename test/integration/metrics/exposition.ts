/** One line of figures: its name, its labels, its value. */
export interface Sample {
  readonly name: string;
  readonly labels: { readonly [name: string]: string };
  readonly value: number;
}

const HELP = /^# HELP ([a-zA-Z_:][\w:]*) (.+)$/;
const TYPE = /^# TYPE ([a-zA-Z_:][\w:]*) (counter|gauge|histogram|summary|untyped)$/;
/** Numbers are as Go reads them: NaN in any case. */
const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? ([Nn]a[Nn]|[+-]Inf|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/y;

/** Reads Prometheus's text format, version 0.0.4, strictly: throws at the first line that is not of it. */
export function parseExposition(text: string): readonly Sample[] {
  if (!text.endsWith('\n')) throw new Error('The last line is not ended.');
  const types = new Map<string, string>();
  const seen = new Set<string>();
  return text.split('\n').flatMap((line): readonly Sample[] => {
    if (line === '' || HELP.test(line)) return [];
    const type = TYPE.exec(line);
    if (type) {
      const [, name = '', kind = ''] = type;
      if (types.has(name)) throw new Error(`${name} is described twice.`);
      types.set(name, kind);
      return [];
    }
    const sample = SAMPLE.exec(line);
    if (!sample) throw new Error(`Not of the format: ${line}`);
    const [, name = '', labels = '', value = ''] = sample;
    const family = types.has(name) ? name : name.replace(/_(bucket|sum|count)$/, '');
    if (!types.has(family)) throw new Error(`${name} has no type.`);
    if (types.get(family) === 'counter' && Number(value) < 0) throw new Error(`A counter below zero: ${line}`);
    const series = line.slice(0, line.lastIndexOf(' '));
    if (seen.has(series)) throw new Error(`Twice: ${series}`);
    seen.add(series);
    return [{ name, labels: labelsOf(labels), value: Number(value.replace('Inf', 'Infinity')) }];
  });
}

function labelsOf(text: string): Sample['labels'] {
  const labels: Record<string, string> = {};
  LABEL.lastIndex = 0;
  while (LABEL.lastIndex < text.length) {
    const label = LABEL.exec(text);
    if (!label) throw new Error(`Not labels: ${text}`);
    labels[label[1] ?? ''] = label[2] ?? '';
  }
  return labels;
}
