// Runs an S3 server in a folder, with the bucket "games", and prints its port.
// Its only key is S3RVER, with the secret S3RVER.
//   node --openssl-legacy-provider server.js FOLDER
// s3rver encrypts the tokens of its listings with DES, which needs the legacy provider.
const aws4 = require('aws4');
const S3rver = require('s3rver');

const KEY = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };
const FORM =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/\d{8}\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/;

// Checks the request's signature, because s3rver does not check signatures of version 4.
function isSigned(request) {
  const match = FORM.exec(request.headers.authorization || '');
  if (!match || match[1] !== KEY.accessKeyId) return false;
  const names = match[3].split(';');
  if (!['host', 'x-amz-content-sha256', 'x-amz-date'].every((name) => names.includes(name))) {
    return false;
  }
  const headers = Object.fromEntries(names.map((name) => [name, request.headers[name]]));
  const { method, url } = request;
  const signed = aws4.sign({ service: 's3', region: match[2], method, path: url, headers }, KEY);
  return FORM.exec(signed.headers.Authorization)[4] === match[4];
}

const app = new S3rver({
  address: '127.0.0.1',
  port: 0,
  silent: true,
  directory: process.argv[2],
  configureBuckets: [{ name: 'games' }],
});
app.middleware.unshift(async (context, next) => {
  if (isSigned(context.req)) return next();
  context.status = 403;
  context.type = 'application/xml';
  context.body = `<Error><Code>SignatureDoesNotMatch</Code><Message>The signature is not that of ${
    (context.headers.authorization || 'nobody').replace(/[<&]/g, ' ')}</Message></Error>`;
});
app.run().then(({ port }) => console.log(port));
