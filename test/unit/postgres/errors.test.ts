import { expect } from 'chai';
import { isConnectionLoss, isUnavailable } from '#host/postgres/errors.js';
import { saidByServer } from '../../support/faulty-pool.ts';

const coded = (code: string, rest: object = {}) =>
  Object.assign(new Error(`it went wrong: ${code}`), { code, ...rest });

describe('An error', () => {
  const away: { readonly [name: string]: Error } = {
    'that refuses a connection': coded('ECONNREFUSED', { syscall: 'connect' }),
    'of a socket that is not there': coded('ENOENT', { syscall: 'connect', address: '/tmp/.s.PGSQL.5432' }),
    'of a session that was written to after its end': coded('EPIPE', { syscall: 'write' }),
    'of a server that ends': saidByServer('57P01', { severity: 'FATAL' }),
    'of a server with too many sessions': saidByServer('53300', { severity: 'FATAL' }),
    'of a pool that had no session in time': new Error('timeout exceeded when trying to connect'),
    'of knex, which had none either': new Error('Knex: Timeout acquiring a connection. The pool is probably full.'),
    'of a driver that was cut off': new Error('Connection terminated unexpectedly'),
  };
  for (const [name, error] of Object.entries(away)) {
    it(`${name} means that the database is away`, () => expect(isConnectionLoss(error)).to.equal(true));
  }

  const passing: { readonly [name: string]: Error } = {
    'of a full disk': saidByServer('53100'),
    'of a server that is read-only after a failover': saidByServer('25006'),
    'of a deadlock': saidByServer('40P01'),
  };
  for (const [name, error] of Object.entries(passing)) {
    it(`${name} is no loss of the connection, and worth another try`, () => {
      expect([isConnectionLoss(error), isUnavailable(error)]).to.eql([false, true]);
    });
  }

  const faults: { readonly [name: string]: unknown } = {
    'of a constraint': saidByServer('23505'),
    'of a statement that is none': saidByServer('42601'),
    'of a value that is not there': new TypeError("Cannot read properties of undefined (reading 'connection')"),
    'of a plugin, whatever it ended or closed': new Error('the run ended: its connection to the shop timed out'),
    'of a file that is not there': coded('ENOENT', { syscall: 'open', path: '/etc/nothing' }),
    'of node, about an argument': coded('ERR_INVALID_ARG_TYPE'),
    'that is none': 'Connection terminated',
  };
  for (const [name, error] of Object.entries(faults)) {
    it(`${name} is never blamed on the database’s absence`, () => expect(isUnavailable(error)).to.equal(false));
  }
});
