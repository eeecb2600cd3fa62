import CPosterCurl

/// A libcurl multi handle: the running transfers and their connections.
///
/// Everything but ``wakeUp()`` is called on the fetch thread only, hence `@unchecked Sendable`: libcurl allows
/// `curl_multi_wakeup`, and nothing else, on any thread.
final class CurlMulti: @unchecked Sendable {
    private let handle: OpaquePointer

    /// Initialised once per process, before the first thread that uses libcurl.
    private static let isLibraryReady = poster_curl_global_init()

    /// - Throws: ``FetchError/failed(code:_:)``.
    init(_ configuration: FetchConfiguration) throws(FetchError) {
        guard Self.isLibraryReady else { throw .failed(code: 2, "curl_global_init failed") }
        let handle = poster_curl_multi_create(configuration.connectionBound)
        guard let handle else { throw .outOfMemory }
        self.handle = handle
    }

    /// Closes the connections.
    deinit {
        poster_curl_multi_destroy(self.handle)
    }

    /// Ends the current ``wait(atMost:)``, or the next one; callable on any thread.
    func wakeUp() {
        poster_curl_multi_wakeup(self.handle)
    }

    /// - Throws: ``FetchError/failed(code:_:)`` with a `CURLMcode`, as do the next ones.
    func add(_ transfer: Transfer) throws(FetchError) {
        try Self.check(poster_curl_multi_add(self.handle, transfer.handle))
    }

    /// Stops a transfer, and closes its connection if it was not finished. None of its callbacks runs afterwards.
    func remove(_ transfer: Transfer) {
        poster_curl_multi_remove(self.handle, transfer.handle)
    }

    /// Does what can be done without waiting; callbacks run inside.
    func perform() throws(FetchError) {
        try Self.check(poster_curl_multi_perform(self.handle))
    }

    /// Waits for the network, a timer of libcurl's, ``wakeUp()``, or the end of `duration`.
    func wait(atMost duration: Duration) throws(FetchError) {
        let milliseconds = Int32(clamping: max(0, duration.millisecondsRoundedUp))
        try Self.check(poster_curl_multi_poll(self.handle, milliseconds))
    }

    /// The id of a transfer that has ended by itself, and its `CURLcode`.
    func nextEnded() -> (id: UInt64, code: Int32)? {
        var code: Int32 = 0
        guard let handle = poster_curl_multi_next_ended(self.handle, &code) else { return nil }
        let context = poster_curl_transfer_context(handle)
        return (Unmanaged<HTTPExchange>.fromOpaque(context).takeUnretainedValue().id, code)
    }

    private static func check(_ code: Int32) throws(FetchError) {
        guard code == 0 else { throw .failed(code: code, "curl_multi") }
    }
}
