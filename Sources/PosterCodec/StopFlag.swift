import CPosterCodecs

/// Tells a running render that nobody wants its result any more.
///
/// Any thread may raise it; decoding asks between row batches and between the scans of a progressive file, encoding
/// between macroblock rows.
public final class StopFlag: @unchecked Sendable {
    // Unchecked because of the pointer: it is written once here, and what it points to is atomic.
    let handle: OpaquePointer

    /// A flag that is not raised.
    public init() {
        guard let handle = poster_stop_flag_create() else { fatalError("out of memory for four bytes") }
        self.handle = handle
    }

    deinit {
        poster_stop_flag_destroy(self.handle)
    }

    /// Raises the flag, for good.
    public func raise() {
        poster_stop_flag_raise(self.handle)
    }

    /// Whether the flag was raised.
    public var isRaised: Bool {
        poster_stop_flag_is_raised(self.handle) != 0
    }

    func check() throws(CodecError) {
        if self.isRaised { throw .stopped }
    }
}
