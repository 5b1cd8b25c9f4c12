import { expect } from 'chai';
import { newTraceparent, readTraceparent, traceIdOf } from '#host/telemetry/traceparent.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

describe('A traceparent', () => {
  it('goes on as it came, flags included', () => {
    for (const flags of ['00', '01', '03']) {
      expect(readTraceparent(`00-${TRACE}-${SPAN}-${flags}`)).to.equal(`00-${TRACE}-${SPAN}-${flags}`);
    }
  });

  it('that cannot be used is none', () => {
    const zeros = (text: string) => text.replaceAll(/./g, '0');
    const unusable = [
      undefined,
      ['00', TRACE, SPAN, '01'],
      '',
      `ff-${TRACE}-${SPAN}-01`,
      `00-${TRACE}-${SPAN}`,
      `00-${TRACE}-${SPAN}-01-more`,
      `00-${TRACE.toUpperCase()}-${SPAN}-01`,
      `00-${zeros(TRACE)}-${SPAN}-01`,
      `00-${TRACE}-${zeros(SPAN)}-01`,
      `00-${TRACE}-${SPAN}-01\n`,
    ];
    for (const header of unusable) expect(readTraceparent(header), String(header)).to.equal(null);
  });

  it('of our own can be read again, and is another each time', () => {
    const made = [newTraceparent(), newTraceparent()];
    expect(made.map(readTraceparent)).to.eql(made);
    expect(new Set(made.map(traceIdOf)).size).to.equal(2);
  });
});
