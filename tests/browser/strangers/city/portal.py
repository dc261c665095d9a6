"""Citizen services portal of the city of Lindenau: its pages; those of its API are in api_*.py."""
import base64, hashlib, json, os, socket, struct, sys, threading, time
from http.server import BaseHTTPRequestHandler
from urllib.parse import parse_qs, urlsplit

HERE = os.path.dirname(os.path.abspath(__file__))
TYPES = {'.html': 'text/html; charset=utf-8', '.js': 'text/javascript; charset=utf-8', '.mjs': 'text/javascript; charset=utf-8',
         '.css': 'text/css; charset=utf-8', '.svg': 'image/svg+xml', '.json': 'application/json'}
ROUTES = {}
STATE = {}
LOCK = threading.Lock()


def route(method, path):
    def put(f):
        ROUTES[(method, path)] = f
        return f
    return put


class Handler(BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    timeout = 60

    def log_message(self, *a):
        pass

    def note(self, status):
        sys.stderr.write('%.3f %s %s %s\n' % (time.time(), self.command, self.path, status))

    # ---- answers
    def send(self, status, body=b'', kind='application/json', headers=()):
        if not isinstance(body, (bytes, bytearray)):
            body = (body if isinstance(body, str) else json.dumps(body)).encode()
        self.note(status)
        self.send_response(status)
        names = {k.lower() for k, _ in headers}
        if status != 204:
            self.send_header('Content-Type', kind)
        if 'cache-control' not in names:
            self.send_header('Cache-Control', 'no-store')
        for k, v in headers:
            self.send_header(k, v)
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        if self.command != 'HEAD':
            self.wfile.write(body)

    def json_body(self):
        try:
            return json.loads(self.raw or b'{}')
        except ValueError:
            return {}

    def cookie(self, name):
        for part in (self.headers.get('Cookie') or '').split(';'):
            k, _, v = part.strip().partition('=')
            if k == name:
                return v
        return None

    def query(self, name, default=''):
        return self.q.get(name, [default])[0]

    # ---- dispatch
    def go(self):
        u = urlsplit(self.path)
        self.q = parse_qs(u.query, keep_blank_values=True)
        n = int(self.headers.get('Content-Length') or 0)
        self.raw = self.rfile.read(n) if n else b''
        f = ROUTES.get((self.command, u.path))
        try:
            if f:
                return f(self)
            if u.path.startswith('/api/'):
                return self.send(404, {'error': 'not found'})
            return self.static(u.path)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    do_GET = do_POST = do_PUT = do_DELETE = do_OPTIONS = do_HEAD = do_PATCH = go

    def static(self, path):
        if '..' in path:
            return self.send(400, 'bad path', 'text/plain')
        base = HERE if path.startswith('/lib/') else os.path.join(HERE, 'pages')
        full = os.path.join(base, path.lstrip('/'))
        headers = []
        if path == '/':
            links = ''.join('<li><a href="/%s/">%s</a></li>' % (d, d) for d in sorted(os.listdir(base)))
            return self.send(200, '<!doctype html><title>Lindenau</title><ul>%s</ul>' % links, TYPES['.html'])
        slug = path.strip('/').split('/')[0]
        if os.path.isdir(full):
            full = os.path.join(full, 'index.html')
            if slug in ('certificates',):
                headers.append(('Content-Security-Policy',
                                "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; object-src 'none'"))
            with LOCK:
                STATE[slug] = {}
        if not os.path.isfile(full):
            # single page application: deep links get its document
            if slug == 'offices':
                with open(os.path.join(base, slug, 'index.html'), 'rb') as f:
                    return self.send(200, f.read(), TYPES['.html'])
            return self.send(404, 'not found', 'text/plain')
        with open(full, 'rb') as f:
            self.send(200, f.read(), TYPES.get(os.path.splitext(full)[1], 'application/octet-stream'), headers)

    # ---- streams
    def stream(self, more=()):
        self.note(200)
        self.send_response(200)
        self.send_header('Content-Type', 'text/event-stream')
        self.send_header('Cache-Control', 'no-cache')
        for k, v in more:
            self.send_header(k, v)
        self.send_header('Connection', 'close')
        self.end_headers()
        self.close_connection = True

    def event(self, data, name=None, ident=None):
        out = ''
        if ident is not None:
            out += 'id: %s\n' % ident
        if name:
            out += 'event: %s\n' % name
        out += 'data: %s\n\n' % json.dumps(data)
        self.wfile.write(out.encode())
        self.wfile.flush()

    # ---- sockets
    def accept_socket(self):
        key = self.headers.get('Sec-WebSocket-Key')
        if not key:
            self.send(426, {'error': 'upgrade required'})
            return False
        digest = base64.b64encode(hashlib.sha1((key + '258EAFA5-E914-47DA-95CA-C5AB0DC85B11').encode()).digest()).decode()
        self.note(101)
        self.send_response(101)
        self.send_header('Upgrade', 'websocket')
        self.send_header('Connection', 'Upgrade')
        self.send_header('Sec-WebSocket-Accept', digest)
        self.end_headers()
        self.wfile.flush()
        self.close_connection = True
        return True

    def ws_send(self, obj, op=1):
        data = obj if isinstance(obj, bytes) else json.dumps(obj).encode()
        head = bytes([0x80 | op])
        head += bytes([len(data)]) if len(data) < 126 else bytes([126]) + struct.pack('>H', len(data))
        self.connection.sendall(head + data)

    def ws_close(self, code, why):
        self.ws_send(struct.pack('>H', code) + why.encode(), 8)

    def ws_read(self, wait):
        """One message, None when nothing came, False when it is closed."""
        self.connection.settimeout(wait)
        try:
            head = self.rfile.read(2)
            if len(head) < 2:
                return False
            n = head[1] & 127
            if n == 126:
                n = struct.unpack('>H', self.rfile.read(2))[0]
            mask = self.rfile.read(4)
            data = bytes(b ^ mask[i % 4] for i, b in enumerate(self.rfile.read(n)))
            if head[0] & 15 == 8:
                return False
            return json.loads(data) if data else None
        except (socket.timeout, TimeoutError):
            return None
        except (OSError, ValueError):
            return False
