export async function retrying(task, attempts = 3) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await task();
    } catch (error) {
      if (attempt === attempts || !(error.status >= 500)) throw error;
      console.warn(`[retry] attempt ${attempt} failed: ${error.message}`);
      await new Promise((done) => setTimeout(done, 200 * attempt));
    }
  }
}
