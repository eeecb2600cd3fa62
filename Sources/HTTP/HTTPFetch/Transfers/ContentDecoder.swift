import CPosterCompression

/// Decodes the content codings of a body as it arrives. An undeclared gzip coding is detected by its magic number, with
/// which neither pictures nor JSON begin.
///
/// The output of each coding is bounded, so that nested ones cannot multiply: decoding a body takes time proportional
/// to the limit.
final class ContentDecoder {
    /// Receives decoded bytes; returns whether more are wanted.
    typealias Receiver = (UnsafeRawBufferPointer) -> Bool

    /// The magic number of a gzip member (RFC 1952, 2.3.1).
    private static let gzipMagic: [UInt8] = [0x1F, 0x8B]

    /// In decoding order: the coding that was applied last comes first.
    private var stages: [DecodingStage] = []
    private let maxBytes: Int
    /// Whether gzip detection in the output of the declared codings has ended.
    private var isRecognised: Bool
    /// The first byte, if it is all that has arrived, and may begin the magic number.
    private var heldByte: UInt8?

    /// - Parameters:
    ///   - codings: In the order in which they were applied.
    ///   - maxBytes: Maximum output of each coding, in bytes.
    /// - Throws: ``FetchError/badCoding(_:)`` if a coding is unsupported; ``FetchError/outOfMemory``.
    init(_ codings: [ResponseCoding], maxBytes: Int) throws(FetchError) {
        guard codings.count <= ResponseCoding.maxCount, codings.allSatisfy(\.isSupported) else {
            throw .unsupportedCodings(codings)
        }
        self.maxBytes = maxBytes
        self.isRecognised = codings.count == ResponseCoding.maxCount
        for coding in codings.reversed() { self.stages.append(try DecodingStage(coding)) }
    }

    /// Whether bytes are passed on as they were sent.
    var isIdentity: Bool { self.stages.isEmpty }

    /// Decodes the next bytes.
    /// - Returns: Whether the receiver wants more.
    /// - Throws: ``FetchError/badCoding(_:)``, ``FetchError/tooLarge(limit:)``, ``FetchError/outOfMemory``.
    func decode(_ bytes: UnsafeRawBufferPointer, _ receive: Receiver) throws(FetchError) -> Bool {
        try self.pass(bytes, to: 0, receive)
    }

    /// Ends the body.
    /// - Returns: Whether the receiver has accepted everything.
    /// - Throws: ``FetchError/truncated`` if a coding has not reached its end.
    func finish(_ receive: Receiver) throws(FetchError) -> Bool {
        guard self.stages.allSatisfy(\.mayEnd) else { throw .truncated }
        guard let byte = self.heldByte.take() else { return true }
        return withUnsafeBytes(of: byte, receive)
    }

    /// Adds a stage if the bytes begin with gzip's magic number, and passes them on.
    private func recognise(_ bytes: UnsafeRawBufferPointer, _ receive: Receiver) throws(FetchError) -> Bool {
        let held = self.heldByte.take()
        let start = (held.map { [$0] } ?? []) + bytes.prefix(Self.gzipMagic.count)
        if start == [Self.gzipMagic[0]] {
            self.heldByte = start[0]
            return true
        }
        let index = self.stages.count
        let isGzip = start.starts(with: Self.gzipMagic)
        if isGzip { self.stages.append(try DecodingStage(.gzip)) }
        self.isRecognised = !isGzip || self.stages.count == ResponseCoding.maxCount
        if let held {
            let wantsMore = try withUnsafeBytes(of: held) { byte throws(FetchError) in
                try self.pass(byte, to: index, receive)
            }
            guard wantsMore else { return false }
        }
        return try self.pass(bytes, to: index, receive)
    }

    private func pass(
        _ bytes: UnsafeRawBufferPointer, to index: Int, _ receive: Receiver
    ) throws(FetchError) -> Bool {
        guard index < self.stages.count else {
            return try self.isRecognised ? receive(bytes) : self.recognise(bytes, receive)
        }
        let stage = self.stages[index]
        var rest = bytes
        while let decoded = try stage.step(&rest) {
            guard stage.byteCount <= self.maxBytes else { throw .tooLarge(limit: self.maxBytes) }
            if decoded.isEmpty { continue }
            guard try self.pass(decoded, to: index + 1, receive) else { return false }
        }
        return true
    }
}

/// One stage of a ``ContentDecoder``: a coding.
private final class DecodingStage {
    /// Maximum output of one step, in bytes.
    private static let stepLength = 32 << 10

    private let coding: ResponseCoding
    private let decoder: OpaquePointer
    private let output: UnsafeMutableRawBufferPointer
    private var hasStarted = false
    private var isComplete = false
    private var isOutputFull = false
    /// Total output, in bytes.
    private(set) var byteCount = 0

    init(_ coding: ResponseCoding) throws(FetchError) {
        let kind: poster_decoder_coding
        switch coding {
        case .gzip: kind = .gzip
        case .deflate: kind = .deflate
        case .brotli: kind = .brotli
        case .unsupported: throw .unsupportedCodings([coding])
        }
        guard let decoder = poster_decoder_create(kind) else { throw .outOfMemory }
        (self.coding, self.decoder) = (coding, decoder)
        self.output = .allocate(byteCount: Self.stepLength, alignment: 16)
    }

    deinit {
        poster_decoder_destroy(self.decoder)
        self.output.deallocate()
    }

    /// Whether the body may end here; also true for an empty one.
    var mayEnd: Bool { self.isComplete || !self.hasStarted }

    /// Decodes a part of `bytes`, and removes it.
    /// - Returns: Decoded bytes, valid until the next step; `nil` if all of the input is decoded.
    /// - Throws: ``FetchError/badCoding(_:)``, ``FetchError/outOfMemory``.
    func step(_ bytes: inout UnsafeRawBufferPointer) throws(FetchError) -> UnsafeRawBufferPointer? {
        guard !bytes.isEmpty || self.isOutputFull, let output = self.output.baseAddress else { return nil }
        self.hasStarted = true
        var (read, written) = (bytes.count, self.output.count)
        let status = poster_decoder_step(
            self.decoder, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), &read,
            output.assumingMemoryBound(to: UInt8.self), &written)
        switch status {
        case .incomplete: self.isComplete = false
        case .complete: self.isComplete = true
        case .damaged: throw .damagedCoding(self.coding)
        case .outOfMemory: throw .outOfMemory
        }
        guard read > 0 || written > 0 || bytes.isEmpty else { throw .damagedCoding(self.coding) }
        bytes = UnsafeRawBufferPointer(rebasing: bytes[read...])
        self.isOutputFull = written == self.output.count
        self.byteCount += written
        return UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(self.output)[..<written])
    }
}

extension FetchError {
    fileprivate static func unsupportedCodings(_ codings: [ResponseCoding]) -> FetchError {
        let names = codings.prefix(4).map(\.name).joined(separator: ", ")
        return .badCoding(
            "its Content-Encoding \(names) is not supported; gzip, deflate and br are, "
                + "at most \(ResponseCoding.maxCount) of them")
    }

    fileprivate static func damagedCoding(_ coding: ResponseCoding) -> FetchError {
        .badCoding("its bytes are not valid \(coding.name), contrary to its Content-Encoding or its first bytes")
    }
}
