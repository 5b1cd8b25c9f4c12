import { expect } from 'chai';
import { visit } from '../../support/browser.ts';
import { startTestHost, type TestHost } from '../../support/host.ts';

describe('the page at /docs', function () {
  this.timeout(120_000);
  let host: TestHost;

  before(async () => {
    host = await startTestHost();
  });
  after(() => host.stop());

  it('shows guide and calls, asks no other host for anything, and has nothing to complain of', async () => {
    const { page, complaints, requests, close } = await visit(`${host.url}/docs#/Trigger/triggerWorkflow`);
    try {
      await page.getByText('From nothing to a finished run').waitFor();
      const call = page.locator('#operations-Trigger-triggerWorkflow .opblock-body');
      await call.getByRole('button', { name: 'Execute' }).waitFor();
      expect(await page.locator('.opblock-tag').count()).to.be.greaterThan(4);
      expect(await page.locator('.errors-wrapper, .version-pragma').count()).to.equal(0);
      expect(complaints).to.deep.equal([]);
      expect(requests.filter((url) => !url.startsWith(`${host.url}/`) && !url.startsWith('data:'))).to.deep.equal([]);
    } finally {
      await close();
    }
  });

  it('sends a call with the key that it was given', async () => {
    const { page, complaints, close } = await visit(`${host.url}/docs#/Runs/listRuns`);
    try {
      await page.getByRole('button', { name: 'Authorize' }).click();
      await page.locator('.auth-container input').fill(host.key);
      await page.locator('.modal-btn.authorize').click();
      await page.locator('.btn-done').click();
      const answer = page.waitForResponse((response) => response.url().includes('/api/workflows/runs'));
      await page.locator('#operations-Runs-listRuns .btn.execute').click();
      expect((await answer).status()).to.equal(200);
      expect(complaints).to.deep.equal([]);
    } finally {
      await close();
    }
  });

  it('is in nobody’s frame, runs nothing that was not served here, and is asked for anew', async () => {
    for (const path of ['/docs', '/openapi.json', '/docs/docs.js', '/docs/swagger-ui-bundle.js']) {
      const response = await fetch(host.url + path);
      expect(response.status, path).to.equal(200);
      const policy = response.headers.get('content-security-policy') ?? '';
      expect(policy).to.include("default-src 'self'").and.include("frame-ancestors 'none'");
      expect(policy).to.not.include('unsafe');
      expect(response.headers.get('x-content-type-options')).to.equal('nosniff');
      const etag = response.headers.get('etag') ?? '';
      const again = await fetch(host.url + path, { headers: { 'if-none-match': etag } });
      expect(again.status, path).to.equal(304);
    }
  });

  for (const name of ['guide.md', 'index.js', '..%2Fpackage.json', '%2e%2e%2fpackage.json', 'constructor', '']) {
    it(`does not serve /docs/${name}`, async () => {
      const response = await fetch(`${host.url}/docs/${name}`);
      expect(await response.text()).to.not.include('swagger-ui-dist"');
      if (name !== '') expect(response.status).to.equal(404);
    });
  }
});
