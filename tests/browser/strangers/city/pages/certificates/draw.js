export function drawCertificate({ holder, number, issued }) {
  const canvas = document.createElement('canvas');
  canvas.width = 600;
  canvas.height = 400;
  const c = canvas.getContext('2d');
  c.fillStyle = '#fff';
  c.fillRect(0, 0, 600, 400);
  c.fillStyle = '#222';
  c.font = '24px serif';
  c.fillText('Registration certificate', 40, 60);
  c.fillText(holder, 40, 130);
  c.fillText(`No. ${number}, ${issued}`, 40, 180);
  return new Promise((done) => canvas.toBlob(done, 'image/png'));
}
