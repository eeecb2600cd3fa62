import PosterCodec

/// A codec's error in a message.
struct ErrorRecord: Hashable {
    enum Kind: UInt8 {
        case notAnImage, unsupported, truncated, damaged, overLimit, sideTooLong, tooManyPixels, unencodable, stopped
        case outOfMemory, internalError
        /// The input's bytes could not be read.
        case unreadable
        case switchedOff
    }

    /// Maximum length of ``text`` in UTF-8 bytes.
    static let textLimit = 500

    var kind: Kind
    /// The reason, or the name of a limit.
    var text = ""
    var value = 0
    var limit = 0

    static let unreadable = ErrorRecord(kind: .unreadable)

    init(kind: Kind, text: String = "", value: Int = 0, limit: Int = 0) {
        self.kind = kind
        self.text = Self.cut(text)
        self.value = value
        self.limit = limit
    }

    /// The beginning of a text within ``textLimit``. Part of a scalar would be decoded as three bytes.
    private static func cut(_ text: String) -> String {
        var count = 0
        return String(
            text.unicodeScalars.prefix { scalar in
                count += UTF8.width(scalar)
                return count <= Self.textLimit
            })
    }

    init(_ error: CodecError) {
        switch error {
        case .notAnImage(let seems): self.init(kind: .notAnImage, text: seems)
        case .unsupported(let name): self.init(kind: .unsupported, text: name)
        case .switchedOff(let format): self.init(kind: .switchedOff, text: format.rawValue)
        case .truncated: self.init(kind: .truncated)
        case .damaged(let reason): self.init(kind: .damaged, text: reason)
        case .overLimit(let name, let value, let limit):
            self.init(kind: .overLimit, text: name.rawValue, value: value, limit: limit)
        case .sideTooLong(let pixels, let limit): self.init(kind: .sideTooLong, value: pixels, limit: limit)
        case .tooManyPixels(let count, let limit): self.init(kind: .tooManyPixels, value: count, limit: limit)
        case .unencodable(let reason): self.init(kind: .unencodable, text: reason)
        case .stopped: self.init(kind: .stopped)
        case .outOfMemory: self.init(kind: .outOfMemory)
        case .decoderEnded(let reason), .internalError(let reason): self.init(kind: .internalError, text: reason)
        }
    }

    /// The codec's error, with a bounded and printable text; `nil` for ``Kind/unreadable``, which no codec throws.
    var codecError: CodecError? {
        let text = String(
            decoding: Self.cut(self.text).utf8.map { $0 >= 0x20 && $0 != 0x7F ? $0 : 0x20 }, as: UTF8.self)
        switch self.kind {
        case .notAnImage: return .notAnImage(seems: text)
        case .unsupported: return .unsupported(text)
        case .switchedOff: return ImageFormat(rawValue: self.text).map { .switchedOff($0) }
        case .truncated: return .truncated
        case .damaged: return .damaged(reason: text)
        case .overLimit:
            return CodecLimits.Name(rawValue: self.text).map { .overLimit($0, value: self.value, limit: self.limit) }
        case .sideTooLong: return .sideTooLong(pixels: self.value, limit: self.limit)
        case .tooManyPixels: return .tooManyPixels(self.value, limit: self.limit)
        case .unencodable: return .unencodable(reason: text)
        case .stopped: return .stopped
        case .outOfMemory: return .outOfMemory
        case .internalError: return .internalError(reason: text)
        case .unreadable: return nil
        }
    }
}
