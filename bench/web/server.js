// server.js: the same by node's http. server.js DIRECTORY
const http = require('http'), fs = require('fs'), path = require('path');
const pages = {
  '/hello': ['text/plain; charset=utf-8', Buffer.from('Hello, world\n')],
  '/100k.bin': ['application/octet-stream', fs.readFileSync(path.join(process.argv[2], '100k.bin'))],
};
const server = http.createServer((request, response) => {
  const page = pages[request.url];
  response.writeHead(page ? 200 : 404, { 'Content-Type': page && page[0], 'Content-Length': page ? page[1].length : 0 });
  response.end(page && page[1]);
});
server.keepAliveTimeout = 600000;
server.listen(0, '127.0.0.1', 1024, () => console.log(server.address().port));
