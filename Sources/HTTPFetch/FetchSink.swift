/// Where the body of a 200 goes.
///
/// Both calls come from the fetcher's only thread, in order, and hold up every other transfer while they run: do little
/// in them and never wait. Neither is called once ``Fetcher/fetch(_:into:)`` has returned or thrown.
public protocol FetchSink: AnyObject, Sendable {
    /// Called once, before the first byte of a 200; not for any other status.
    ///
    /// - Returns: Whether the body is wanted; `false` ends the fetch with ``FetchError/sinkFailed``.
    func begin(_ head: FetchResponseHead) -> Bool

    /// Takes the next bytes of the body.
    ///
    /// - Parameter bytes: Content-decoded, never empty, and valid only during the call.
    /// - Returns: Whether they could be stored; `false` ends the fetch with ``FetchError/sinkFailed``.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool
}

extension FetchSink {
    /// Every body is wanted.
    public func begin(_ head: FetchResponseHead) -> Bool { true }
}
