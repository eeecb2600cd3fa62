/// Why a picture could not be probed, planned or rendered.
public enum CodecError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The bytes are not a picture; `seems` describes them, for example "an HTML page".
    case notAnImage(seems: String)
    /// A kind of picture that is not decoded, by name, for example "HEIC" or "12-bit JPEG".
    case unsupported(String)
    /// A format that is decoded, but not among ``CodecLimits/inputFormats``.
    case switchedOff(ImageFormat)
    /// The data ends before the picture does.
    case truncated
    /// The data contradicts itself. `reason` is for logs and for the command line.
    case damaged(reason: String)
    /// The picture exceeds a limit.
    case overLimit(CodecLimits.Name, value: Int, limit: Int)
    /// The result's longer side exceeds ``CodecLimits/maxRenderedSide``.
    case sideTooLong(pixels: Int, limit: Int)
    /// The result has more pixels than ``CodecLimits/maxRenderedPixels``.
    case tooManyPixels(Int, limit: Int)
    /// The result could not be encoded. `reason` is the library's message.
    case unencodable(reason: String)
    /// The ``StopFlag`` was raised.
    case stopped
    /// Memory could not be allocated.
    case outOfMemory
    /// The process that decoded or encoded the picture did not return a result. `reason` says how it ended.
    case decoderEnded(reason: String)
    /// A bug of this program, reported as an error so that it fails one request and not the process. `reason` is for
    /// logs.
    case internalError(reason: String)

    /// The end of a sentence that begins with "the picture" or a file name; used by the command line and the service.
    public var description: String {
        switch self {
        case .notAnImage(let seems): "not an image but \(seems)"
        case .unsupported(let kind): "\(kind), which is not decoded; \(Self.decodedFormats(besides: kind)) are"
        case .switchedOff(let format):
            "\(format.rawValue), which is switched off"
                + (format.needsWorker ? ", or needs worker processes that do not run" : "") + ": see --input-formats"
        case .truncated: "truncated: the data ends before the picture does"
        case .damaged(let reason): "damaged: \(reason)"
        case .overLimit(let name, let value, let limit):
            "over the limit of \(name.rawValue): it has \(value), the maximum is \(limit)"
        case .sideTooLong(let pixels, let limit):
            "\(pixels) pixels long on one side; the maximum is \(limit): request a smaller size, or specify both sides"
        case .tooManyPixels(let count, let limit):
            "\(count) pixels large at this size; the maximum is \(limit): request a smaller size"
        case .unencodable(let reason): "not encodable: \(reason)"
        case .stopped: "no longer needed"
        case .outOfMemory: "too large for the available memory"
        case .decoderEnded(let reason): "not decodable: \(reason)"
        case .internalError(let reason): "not renderable because of an internal error: \(reason)"
        }
    }

    /// Lists the decoded formats except the format of `kind`, such as JPEG for "12-bit JPEG".
    private static func decodedFormats(besides kind: String) -> String {
        let isOther = ImageFormat(rawValue: kind).map { !ImageFormat.decoded.contains($0) } ?? false
        var names = ImageFormat.decoded.map(\.rawValue)
        // JPEG XL is no kind of JPEG: the longest name counts.
        let own = names.filter { " \(kind) ".contains(" \($0) ") }.max { $0.count < $1.count }
        if !isOther { names.removeAll { $0 == own } }
        return "\(names.dropLast().joined(separator: ", ")) and \(names[names.count - 1])"
    }
}
