public import PosterCodec

extension PosterError {
    /// A codec's complaint about an original. `CodecError.stopped` is no complaint: the caller handles it first.
    public init(_ error: CodecError) {
        switch error {
        case .notAnImage, .truncated, .damaged, .overLimit(.bytes, _, _):
            self = .badOriginal(reason: "what it sent is \(error)")
        case .unsupported: self = .unsupportedImage(reason: error.description)
        case .overLimit: self = .overLimit(reason: error.description)
        case .sideTooLong, .tooManyPixels: self = .tooLarge(reason: error.description)
        case .unencodable, .internalError: self = .unrenderable
        case .stopped, .outOfMemory: self = .overloaded(retryAfter: 1)
        }
    }
}
