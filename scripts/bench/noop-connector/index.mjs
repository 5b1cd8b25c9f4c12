/** What every step of the benchmark returns: about 100 bytes of JSON. */
const step = async ({ input: { i } }) => ({
  i,
  ok: true,
  note: 'a small step result of about one hundred bytes of json, no-op',
});

// biome-ignore lint/style/noDefaultExport: a connector's entry is one
export default { actions: { step } };
