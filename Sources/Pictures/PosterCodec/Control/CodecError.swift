/// Why a picture could not be probed, planned or rendered.
public enum CodecError: Error, Hashable, Sendable {
    /// The bytes are no picture at all; `seems` says what they look like, for example "an HTML page".
    case notAnImage(seems: String)
    /// A picture of a kind that is not decoded; the name is for people, for example "GIF" or "12-bit JPEG".
    case unsupported(String)
    /// The data ends before the picture does.
    case truncated
    /// The data contradicts itself. `reason` is for logs and for the command line.
    case damaged(reason: String)
    /// The picture is fine, but larger than a limit allows; nothing was decoded.
    case overLimit(CodecLimits.Name, value: Int, limit: Int)
    /// The side that follows from the aspect ratio would be longer than what is ever rendered.
    case sideTooLong(pixels: Int, limit: Int)
    /// The result would have more pixels than are ever rendered.
    case tooManyPixels(Int, limit: Int)
    /// The original is fine, but its rendering could not be encoded. `reason` is the library's own words.
    case unencodable(reason: String)
    /// The stop flag was raised.
    case stopped
    case outOfMemory
    /// The codec contradicts itself: an error in this program, which costs one request and not the process. `reason` is for
    /// logs.
    case internalError(reason: String)
}

extension CodecError: CustomStringConvertible {
    /// What is wrong, as the end of a sentence that begins with "the picture" or with a file's name; the command line and
    /// the service use the same words.
    public var description: String {
        switch self {
        case .notAnImage(let seems): "not an image but \(seems)"
        case .unsupported(let kind): "\(kind), which is not decoded; JPEG, PNG and WebP are"
        case .truncated: "truncated: the data ends before the picture does"
        case .damaged(let reason): "damaged: \(reason)"
        case .overLimit(let name, let value, let limit):
            "over the limit of \(name.rawValue): it has \(value), allowed are \(limit)"
        case .sideTooLong(let pixels, let limit):
            "\(pixels) pixels long on one side at this size; at most \(limit) are rendered, so ask for a smaller one, or give its other side, too"
        case .tooManyPixels(let count, let limit):
            "\(count) pixels large at this size; at most \(limit) are rendered, so ask for a smaller one"
        case .unencodable(let reason): "not to be encoded: \(reason)"
        case .stopped: "not wanted any more"
        case .outOfMemory: "too large for the memory that is left"
        case .internalError(let reason): "not to be rendered because of an error in this program: \(reason)"
        }
    }
}
