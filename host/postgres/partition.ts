/** Runs hash by their chain into so many partitions; a chain's rows and wakeups have one. */
const PARTITIONS = 16;
export const ALL_PARTITIONS: readonly number[] = Array.from({ length: PARTITIONS }, (_, i) => i);

/** The last hex digit of an id is random. */
export const partitionOf = (chainId: string): number => Number.parseInt(chainId.slice(-1), 16) % PARTITIONS;
