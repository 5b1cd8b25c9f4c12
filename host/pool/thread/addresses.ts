import { BlockList, isIP, isIPv6 } from 'node:net';

/** Everything that is not the public internet: what a connector reaches only if the operator lists it. */
const NOT_PUBLIC = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10', // carrier-grade NAT
  '127.0.0.0/8',
  '169.254.0.0/16', // link-local; cloud metadata
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved; broadcast
  '::/96', // unspecified, loopback, and the old way to write v4
  '64:ff9b::/96', // v4 behind a translator
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/32', // Teredo
  '2001:db8::/32',
  '2002::/16', // 6to4
  'fc00::/7', // unique local
  'fe80::/10', // link-local
  'fec0::/10',
  'ff00::/8', // multicast
];

/** A set of CIDR ranges. Throws on text that is none. */
export const cidrList = (ranges: readonly string[]): BlockList => {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', prefix] = range.split('/');
    const family = isIP(address);
    const bits = prefix === undefined ? (family === 6 ? 128 : 32) : Number(prefix);
    if (family === 0 || !Number.isInteger(bits)) throw new TypeError(`not a network range: ${range}`);
    list.addSubnet(address, bits, family === 6 ? 'ipv6' : 'ipv4');
  }
  return list;
};

const notPublic = cidrList(NOT_PUBLIC);

/** Whether a connection to this address may be made: it is public, or the operator listed it. */
export const mayConnect = (address: string, listed: BlockList): boolean => {
  const [plain = ''] = address.split('%');
  const v4 = mappedV4(plain);
  if (v4 !== null) return mayConnect(v4, listed);
  const family = isIPv6(plain) ? 'ipv6' : 'ipv4';
  return isIP(plain) !== 0 && (listed.check(plain, family) || !notPublic.check(plain, family));
};

/** The v4 address within `::ffff:a.b.c.d`, however it is written. */
const mappedV4 = (address: string): string | null => {
  if (!isIPv6(address)) return null;
  // The URL parser is the one place that knows all spellings of an address.
  const match = /^\[::ffff:([0-9a-f]+):([0-9a-f]+)\]$/.exec(new URL(`http://[${address}]`).hostname);
  if (match === null) return null;
  const [high, low] = [Number.parseInt(match[1]!, 16), Number.parseInt(match[2]!, 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
};
