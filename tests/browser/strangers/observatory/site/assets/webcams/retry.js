window.withRetry = function (work, times, wait) {
  return work().catch(function (error) {
    if (times <= 0) throw error;
    console.warn('webcams: asking again, ' + times + ' left (' + error.message + ')');
    return new Promise(function (resolve) { setTimeout(resolve, wait); }).then(function () {
      return window.withRetry(work, times - 1, wait * 1.5);
    });
  });
};
