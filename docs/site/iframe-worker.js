// Search in pages opened as files: browsers start no worker from a file, so the search runs in a hidden frame with a worker's interface.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(address) {
      super()
      this.waiting = []
      const frame = document.body.appendChild(Object.assign(document.createElement("iframe"), { hidden: true }))
      this.inner = frame.contentWindow
      this.inner.postMessage = data => this.dispatchEvent(new MessageEvent("message", { data }))
      const script = this.inner.document.createElement("script")
      script.src = address
      script.onload = () => {
        this.isLoaded = true
        this.waiting.splice(0).forEach(data => this.postMessage(data))
      }
      script.onerror = () => this.dispatchEvent(new Event("error"))
      this.inner.document.body.append(script)
    }
    postMessage(data) {
      if (!this.isLoaded) this.waiting.push(data)
      else this.inner.dispatchEvent(new this.inner.MessageEvent("message", { data }))
    }
    terminate() {}
  }
}
