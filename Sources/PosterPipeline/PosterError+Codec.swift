import PosterCodec

extension PosterError {
    /// A codec's complaint about an original. `CodecError.stopped` is no complaint: the caller handles it first.
    init(_ error: CodecError) {
        switch error {
        case .notAnImage(let seems): self = .badOriginal(reason: "it sent \(seems), not an image")
        case .unsupported(let kind): self = .unsupportedImage(kind)
        case .truncated: self = .badOriginal(reason: "it sent an image that ends too early")
        case .damaged: self = .badOriginal(reason: "it sent a damaged image")
        case .overLimit(let name, let value, let limit):
            self = .overLimit(limit: name.rawValue, value: value, allowed: limit)
        case .sideTooLong(let pixels, let limit): self = .sideTooLong(pixels: pixels, limit: limit)
        case .unencodable: self = .unrenderable
        case .stopped, .outOfMemory: self = .overloaded
        }
    }
}
