import time
from portal import route, STATE, LOCK

# ---- queue
@route('GET', '/api/queue/settings')
def _(r):
    r.send(200, {'counter': 4, 'refresh_interval': 15, 'sound': True})


@route('GET', '/api/queue/waiting')
def _(r):
    now = time.time()
    with LOCK:
        times = STATE.setdefault('queue', {}).setdefault('t', [])
        times[:] = [t for t in times if now - t < 10]
        times.append(now)
        n = len(times)
    if n > 20:
        return r.send(429, {'error': 'too many requests'}, headers=[('Retry-After', '10')])
    r.send(200, {'waiting': [{'number': 'A101', 'topic': 'Passport', 'minutes': 4}, {'number': 'B017', 'topic': 'Parking', 'minutes': 2}]})


# ---- tickets
@route('GET', '/api/tickets')
def _(r):
    r.send(200, {'rows': [{'id': 71, 'title': 'Street lamp broken', 'age': 3}, {'id': 64, 'title': 'Graffiti at school', 'age': 9}]})


# ---- permits
@route('GET', '/api/permits')
def _(r):
    r.send(200, {'permits': [{'id': 'B-1', 'kind': 'Building', 'state': 'open'}, {'id': 'B-2', 'kind': 'Street festival', 'state': 'granted'}]})


# ---- desk
@route('GET', '/api/desk/socket')
def _(r):
    if not r.accept_socket():
        return
    hello = r.ws_read(1.5)
    if not hello:
        if hello is None:
            r.ws_close(4408, 'hello timeout')
        return
    r.ws_send({'type': 'welcome', 'agent': 'Ms. Keller', 'waiting': 0})
    while r.ws_read(30) is not False:
        pass


# ---- monitor
@route('GET', '/api/monitor/health')
def _(r):
    with LOCK:
        s = STATE.setdefault('monitor', {})
        s['n'] = s.get('n', 0) + 1
        n = s['n']
    if n == 2:
        return r.send(503, {'error': 'restarting'}, headers=[('Retry-After', '1')])
    r.send(200, {'services': [{'name': 'Payments', 'ok': True}, {'name': 'Archive', 'ok': True}], 'run': n})


@route('GET', '/api/monitor/socket')
def _(r):
    if not r.accept_socket():
        return
    with LOCK:
        s = STATE.setdefault('monitor', {})
        s['ws'] = s.get('ws', 0) + 1
        n = s['ws']
    r.ws_send({'type': 'load', 'value': 41 + n})
    if n == 1:
        r.ws_read(1.2)
        r.ws_close(1001, 'server restarts')
        return
    while r.ws_read(30) is not False:
        pass
