const token = document.querySelector('meta[name="form-token"]')?.content ?? '';

/** Headers of a request that changes something. */
export const tokenHeaders = () => ({ 'X-Form-Token': token });
