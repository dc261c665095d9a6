/* What all pages have at their foot: the banner of the day. */
const visit = crypto.randomUUID().slice(0, 8);

function* pauses() {
  for (let pause = 300; pause < 3000; pause *= 2) yield pause;
}

async function banner() {
  for (const pause of pauses()) {
    const answer = await fetch(`/api/site/banner?visit=${visit}`);
    if (answer.ok) return answer.json();
    console.warn(`shell: banner ${answer.status}, once more in ${pause} ms`);
    await new Promise(go => setTimeout(go, pause));
  }
  return { text: '' };
}

const foot = document.createElement('p');
foot.className = 'muted';
document.querySelector('main').append(foot);
foot.textContent = (await banner()).text;
