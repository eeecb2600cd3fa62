/// Where the body of a 200 goes, and what of other bodies is kept (``FetchRequest/keepsErrorBodies``).
///
/// A body that breaks off is asked for again. When the rest of it can be had, the sink simply goes on to receive; when not,
/// it begins anew. What it has is worth something only when the fetch has returned with a 200, or with the status
/// that it was begun with: an answer with another status may follow a body that broke off.
///
/// Both calls come from the fetcher's only thread, in order, and hold up every other transfer while they run: do little
/// in them and never wait. Neither is called once ``Fetcher/fetch(_:into:)`` has returned or thrown.
public protocol FetchSink: AnyObject, Sendable {
    /// Called before the first byte of a 200, and of any other final answer if error bodies are kept. When it is called again, the sink must forget
    /// all that it has received.
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
