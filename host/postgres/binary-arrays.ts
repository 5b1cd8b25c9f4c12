/** Array parameters in PostgreSQL's binary form: cheaper to make and to read than its text form, whatever is in them. */

/** Type ids of the elements. */
const OIDS = { uuid: 2950, int8: 20, int4: 23, text: 25, json: 114, bool: 16 } as const;
export type ElementType = keyof typeof OIDS;
export type Element = string | number | boolean | null;

const HEADER_BYTES = 20;
const FIRST_BYTES = 1024;
/** A larger buffer is not kept for what comes next. */
const MOST_KEPT_BYTES = 1024 * 1024;
/** Longer texts are measured before room is made for them. */
const LONG_TEXT = 4096;
const HEX = new Uint8Array(103);
for (let i = 0; i < 10; i++) HEX[48 + i] = i;
for (let i = 0; i < 6; i++) {
  HEX[65 + i] = 10 + i;
  HEX[97 + i] = 10 + i;
}

/** One array parameter, written element by element; its buffer is kept for the next one, unless it is large. */
export class BinaryArray {
  private readonly type: ElementType;
  private buffer = Buffer.allocUnsafe(FIRST_BYTES);
  private end = HEADER_BYTES;
  private count = 0;

  constructor(type: ElementType) {
    this.type = type;
  }

  get length(): number {
    return this.count;
  }

  /** Text goes into `text`, `json` and `uuid`, numbers into `int4` and `int8`. */
  push(element: Element): void {
    this.count += 1;
    if (element === null) {
      this.makeRoom(4);
      this.end = this.buffer.writeInt32BE(-1, this.end);
    } else if (this.type === 'uuid') {
      this.pushUuid(element as string);
    } else if (typeof element === 'string') {
      this.makeRoom(4 + (element.length > LONG_TEXT ? Buffer.byteLength(element) : element.length * 3));
      const bytes = this.buffer.write(element, this.end + 4, 'utf8');
      this.buffer.writeInt32BE(bytes, this.end);
      this.end += 4 + bytes;
    } else if (this.type === 'int8') {
      this.makeRoom(12);
      this.buffer.writeInt32BE(8, this.end);
      this.buffer.writeBigInt64BE(BigInt(element), this.end + 4);
      this.end += 12;
    } else if (this.type === 'bool') {
      this.makeRoom(5);
      this.buffer.writeInt32BE(1, this.end);
      this.end = this.buffer.writeUInt8(element ? 1 : 0, this.end + 4);
    } else {
      this.makeRoom(8);
      this.buffer.writeInt32BE(4, this.end);
      this.end = this.buffer.writeInt32BE(Number(element), this.end + 4);
    }
  }

  /** The parameter. Valid until `clear`. */
  bytes(): Buffer {
    const { buffer, count } = this;
    buffer.writeInt32BE(count === 0 ? 0 : 1, 0);
    buffer.writeInt32BE(1, 4);
    buffer.writeInt32BE(OIDS[this.type], 8);
    buffer.writeInt32BE(count, 12);
    buffer.writeInt32BE(1, 16);
    return buffer.subarray(0, count === 0 ? 12 : this.end);
  }

  clear(): void {
    this.end = HEADER_BYTES;
    this.count = 0;
    if (this.buffer.length > MOST_KEPT_BYTES) this.buffer = Buffer.allocUnsafe(FIRST_BYTES);
  }

  private pushUuid(text: string): void {
    this.makeRoom(20);
    this.buffer.writeInt32BE(16, this.end);
    let at = this.end + 4;
    for (let i = 0; i < 36; i += 2) {
      if (text.charCodeAt(i) === 45) i += 1;
      this.buffer[at++] = (HEX[text.charCodeAt(i)]! << 4) | HEX[text.charCodeAt(i + 1)]!;
    }
    this.end = at;
  }

  private makeRoom(bytes: number): void {
    if (this.end + bytes <= this.buffer.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.buffer.length * 2, this.end + bytes));
    this.buffer.copy(grown, 0, 0, this.end);
    this.buffer = grown;
  }
}

/** Columns of a relation that a statement reads by `unnest`. */
export type Columns = { readonly [name: string]: ElementType };
export type RowOf<C extends Columns> = { readonly [Name in keyof C]: Element };

/** A relation, column by column. */
export class BinaryRelation<C extends Columns> {
  private readonly columns: readonly (readonly [keyof C, BinaryArray])[];

  constructor(columns: C) {
    this.columns = Object.entries(columns).map(([name, type]) => [name, new BinaryArray(type)]);
  }

  get length(): number {
    return this.columns[0]![1].length;
  }

  push(row: RowOf<C>): void {
    for (const [name, column] of this.columns) column.push(row[name]);
  }

  parameters(): Buffer[] {
    return this.columns.map(([, column]) => column.bytes());
  }

  clear(): void {
    for (const [, column] of this.columns) column.clear();
  }
}

/** `unnest($4::uuid[], …) name (a, …)`, its parameters numbered from `first`. */
export function unnest(name: string, columns: Columns, first: number): string {
  const types: Record<ElementType, string> = {
    uuid: 'uuid',
    int8: 'bigint',
    int4: 'int',
    text: 'text',
    json: 'json',
    bool: 'boolean',
  };
  const arrays = Object.values(columns).map((type, i) => `$${first + i}::${types[type]}[]`);
  return `unnest(${arrays.join(', ')}) ${name} (${Object.keys(columns).join(', ')})`;
}
