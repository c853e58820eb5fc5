class Twice {
 #value = '// no comment'; // stays

 get(text) {
  const url = text + '/* neither */';

  return [this.#value, url, `${text}//`].join(
   '|');
 }
}

new Twice().get('http://x');
