const features = fetch('/api/features').then((a) => a.json()).catch(() => ({}));
const isOn = async (name) => (await features)[name] === true;
