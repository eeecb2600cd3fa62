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
