/// The receiver of the body of a 200, and of the part of other bodies that ``FetchRequest/errorBodyLimit`` allows.
///
/// A body that breaks off is requested again. If the rest is available, the sink continues to receive; if not, it begins
/// anew. What it has is complete only when the fetch has returned with a 200, or with the status that it was begun with: a
/// response with another status may follow a body that broke off.
///
/// Both methods are called on the fetcher's only thread, in order, and delay every other transfer while they run: they must
/// be short and must not block. Neither is called once ``Fetcher/fetch(_:into:)`` has returned or thrown.
public protocol FetchSink: AnyObject, Sendable {
    /// Called before the first byte of a 200, and of any other final response if error bodies are kept. When called again, the
    /// sink must discard everything that it has received.
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
    /// Accepts every body.
    public func begin(_ head: FetchResponseHead) -> Bool { true }
}
