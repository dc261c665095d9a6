import time
from portal import route, STATE, LOCK

# ---- booking
OFFICES = [{'id': 'harbour', 'name': 'Harbour Office'}, {'id': 'townhall', 'name': 'Town Hall'}, {'id': 'north', 'name': 'North District'}]


@route('GET', '/api/booking/offices')
def _(r):
    r.send(200, {'offices': OFFICES})


@route('GET', '/api/booking/citizen')
def _(r):
    time.sleep(0.25)
    r.send(200, {'name': 'Ida Brandt', 'homeOffice': 'townhall'})


@route('GET', '/api/booking/slots')
def _(r):
    office = r.query('office')
    time.sleep({'harbour': 1.8, 'north': 1.4}.get(office, 0.15))
    name = next((o['name'] for o in OFFICES if o['id'] == office), '?')
    base = {'harbour': 8, 'north': 10}.get(office, 13)
    r.send(200, {'slots': [{'day': d, 'time': '%02d:%02d' % (base + i, 15 * i), 'room': 'Room %d' % (base * 10 + i), 'officeName': name}
                           for i, d in enumerate(('Mon', 'Tue', 'Thu'))]})


# ---- residence
@route('POST', '/api/residence/registrations')
def _(r):
    b = r.json_body()
    a = b.get('address') or {}
    wrong = {}
    for k in ('full_name', 'birth_date'):
        if not b.get(k):
            wrong[k] = 'is required'
    for k in ('street', 'postal_code', 'town'):
        if not a.get(k):
            wrong['address.' + k] = 'is required'
    if wrong:
        return r.send(422, {'message': 'validation failed', 'fields': wrong})
    r.send(201, {'reference': 'RES-2026-118'})


# ---- certificates
@route('GET', '/api/certificates/data')
def _(r):
    r.send(200, {'holder': 'Ida Brandt', 'number': 'C-88120', 'issued': '2026-11-02'})


@route('PUT', '/api/certificates/files')
def _(r):
    r.send(204)


# ---- fees
@route('GET', '/api/fees/session')
def _(r):
    r.send(200, {'name': 'Ida Brandt'}, headers=[('Set-Cookie', 'portal_sid=9f27ab; Path=/; HttpOnly; SameSite=Lax'),
                                                ('Set-Cookie', 'XSRF-TOKEN=t-5b1c77; Path=/; HttpOnly; SameSite=Lax')])


@route('GET', '/api/fees/open')
def _(r):
    r.send(200, {'fees': [{'id': 'f1', 'title': 'Residence permit', 'cents': 2800}, {'id': 'f2', 'title': 'Certificate copy', 'cents': 650}]})


@route('POST', '/api/fees/settlements')
def _(r):
    if r.headers.get('X-XSRF-TOKEN') != r.cookie('XSRF-TOKEN') or not r.cookie('XSRF-TOKEN'):
        return r.send(403, {'error': 'forbidden', 'message': 'CSRF token missing or invalid'})
    r.send(201, {'receipt': {'number': 'R-7781', 'date': '2026-11-29'}})


# ---- track
@route('GET', '/api/track/2026-4471')
def _(r):
    r.send(200, {'ref': '2026-4471', 'history': [{'at': '09:02', 'step': 'Received'}, {'at': '09:10', 'step': 'Documents checked'}]})


@route('GET', '/api/track/2026-4471/events')
def _(r):
    r.stream()
    r.event({'at': '09:31', 'step': 'Assigned to Ms. Keller'}, 'status-changed', 1)
    for i, step in enumerate(('In review', 'Waiting for a second signature', 'Approved', 'Printed', 'Sent')):
        time.sleep(0.8)
        r.event({'at': '09:%d' % (40 + i), 'step': step}, 'status-changed', i + 2)
    time.sleep(25)


# ---- offices
@route('GET', '/api/offices')
def _(r):
    r.send(200, {'offices': [{'name': 'Town Hall', 'street': 'Market 1', 'x': 40, 'y': 50}, {'name': 'Harbour Office', 'street': 'Quay 7', 'x': 70, 'y': 20}]})


# ---- inbox
MAIL = [{'id': i + 1, 'from': f, 'subject': s} for i, (f, s) in enumerate((
    ('Registry', 'Your certificate is ready'), ('Tax office', 'Notice of assessment'), ('Library', 'Reminder: two books'), ('Parking', 'Permit expires soon')))]


@route('GET', '/api/inbox/messages')
def _(r):
    try:
        after = int(r.query('after', '0'))
    except ValueError:
        after = 0
    new = [m for m in MAIL if m['id'] > after]
    r.send(200, {'messages': new, 'next_cursor': new[-1]['id'] if new else after, 'total': len(MAIL)})


# ---- profile
@route('GET', '/api/profile')
def _(r):
    r.send(200, {'name': 'Ida Brandt', 'email': 'ida@example.org', 'notify': {'sms': False, 'email': True}})


# ---- confirm: another host answers
@route('GET', '/api/confirm/hold')
def _(r):
    r.send(200, {'hold': 'H-3310', 'office': 'Town Hall', 'at': 'Thu 10:15', 'backend': 'http://127.0.0.1:%d' % r.server.server_address[1]})


@route('OPTIONS', '/api/scheduler/confirmations')
def _(r):
    r.send(204, headers=[('Access-Control-Allow-Origin', r.headers.get('Origin') or '*'), ('Access-Control-Allow-Methods', 'POST, OPTIONS'),
                         ('Access-Control-Allow-Headers', 'Content-Type, Accept'), ('Access-Control-Max-Age', '60')])


@route('POST', '/api/scheduler/confirmations')
def _(r):
    r.send(201, {'code': 'LN-4410'}, headers=[('Access-Control-Allow-Origin', r.headers.get('Origin') or '*')])


# ---- parking
@route('GET', '/api/parking/permits')
def _(r):
    with LOCK:
        renewed = STATE.setdefault('parking', {}).get('renewed')
    r.send(200, {'permits': [{'id': 'P-20', 'plate': 'LN AB 120', 'validUntil': '2027-12-31' if renewed else '2026-11-30', 'state': 'valid' if renewed else 'expires soon'}]},
           headers=[('Cache-Control', 'private, max-age=600')])


@route('PUT', '/api/parking/permits/P-20')
def _(r):
    with LOCK:
        STATE.setdefault('parking', {})['renewed'] = True
    r.send(200, {'ok': True})


# ---- ledger
@route('GET', '/api/ledger/accounts')
def _(r):
    r.send(200, {'accounts': [{'id': 'a1', 'label': 'Waste disposal'}, {'id': 'a2', 'label': 'Property tax'}]})


@route('GET', '/api/ledger/entries')
def _(r):
    r.send(200, {'entries': [{'id': 'e1', 'account': 'a1', 'text': 'Bin 120 l', 'amount': 86.4}, {'id': 'e2', 'account': 'a2', 'text': 'Second half 2026', 'amount': '1.250,00'},
                             {'id': 'e3', 'account': 'a1', 'text': 'Bulky waste', 'amount': 35}]})


# ---- registry
@route('GET', '/api/registry/records')
def _(r):
    time.sleep(0.6)
    r.send(200, {'records': [{'title': 'Birth record 1988/114', 'office': 'Town Hall'}, {'title': 'Marriage record 2015/20', 'office': 'Town Hall'}]})


# ---- proposals
@route('GET', '/api/proposals')
def _(r):
    time.sleep(0.04)
    r.send(200, {'proposals': [{'id': 1, 'title': 'More benches in the park', 'votes': 112}, {'id': 2, 'title': 'Cycle lane in Mill Street', 'votes': 341}]})


# ---- benefits
@route('POST', '/api/benefits/session')
def _(r):
    r.send(200, {'ok': True, 'expires_in': 1800}, headers=[('Set-Cookie', 'benefits_sid=c41d90; Domain=portal.lindenau.example; Path=/; HttpOnly; SameSite=Lax')])


@route('GET', '/api/benefits/household')
def _(r):
    if not r.cookie('benefits_sid'):
        return r.send(401, {'error': 'unauthenticated', 'message': 'no session'})
    r.send(200, {'id': 'hh-12', 'persons': 3})


@route('GET', '/api/benefits/claims')
def _(r):
    if r.query('household') != 'hh-12':
        return r.send(400, {'error': 'bad request', 'message': 'household: not a valid id'})
    r.send(200, {'claims': [{'title': 'Housing benefit', 'state': 'granted'}]})


# ---- doglicence
@route('POST', '/api/doglicence/applications')
def _(r):
    b = r.json_body()
    if not str(b.get('chip', '')).isdigit() or len(b['chip']) != 15:
        return r.send(422, {'message': 'validation failed', 'fields': {'chip': 'A chip number has 15 digits.'}})
    r.send(201, {'licence': 'DOC-901'})


# ---- welcome
@route('GET', '/api/welcome/me')
def _(r):
    r.send(401, {'error': 'unauthenticated'})


@route('GET', '/api/welcome/services')
def _(r):
    r.send(200, {'services': ['Passports', 'Parking', 'Waste', 'Schools']})


# ---- streets
STREETS = ['Harbour Street', 'Harvest Lane', 'Hill Road', 'Market Square', 'Mill Street']


@route('GET', '/api/streets/district')
def _(r):
    time.sleep(0.2)
    r.send(200, {'district': 'north'})


@route('GET', '/api/streets')
def _(r):
    q = r.query('q').lower()
    time.sleep(0.1 if r.query('district') else 1.2)
    r.send(200, {'streets': [s for s in STREETS if s.lower().startswith(q)]})


# ---- news
@route('GET', '/api/news')
def _(r):
    r.send(200, {'items': [{'id': 1, 'title': 'Library opens on Sundays', 'image': '/news/media/library.jpg'}, {'id': 2, 'title': 'New bus line 14', 'image': None}]})


@route('POST', '/api/news/metrics')
def _(r):
    r.send(503, {'error': 'collector is down'})


# ---- archive
@route('GET', '/api/archive/requests')
def _(r):
    r.send(200, {'requests': [{'ref': '2025-1001', 'title': 'Dog licence', 'state': 'closed'}, {'ref': '2025-1440', 'title': 'Tree felling', 'state': 'closed'}]})


@route('GET', '/api/archive/requests/2025-1440/appeal')
def _(r):
    r.send(404, {'error': 'no appeal'})


@route('GET', '/api/archive/events')
def _(r):
    last = int(r.headers.get('Last-Event-ID') or 0)
    r.stream()
    r.wfile.write(b'retry: 700\n\n')
    for i in range(2):
        time.sleep(0.3)
        last += 1
        r.event({'text': 'Archive checked, run %d' % last}, None, last)
