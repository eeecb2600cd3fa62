import MovieDomain

/// What is wrong with an answer, in words that hold nothing of it but names of members.
enum AnswerTrouble {
    static func words(for error: any Error) -> String {
        if let error = error as? UnreadableAnswer { return error.description }
        guard let error = error as? DecodingError else { return "\(type(of: error))" }
        switch error {
        case .typeMismatch(let type, let context): return "\(Self.place(context)) is no \(type)"
        case .valueNotFound(let type, let context): return "\(Self.place(context)) is null and no \(type)"
        case .keyNotFound(let key, let context):
            return "\(Self.place(context)) has no \(key.stringValue.prefix(40))"
        case .dataCorrupted(let context): return "\(Self.place(context)) is no JSON, or not what is expected"
        @unknown default: return "it cannot be decoded"
        }
    }

    private static func place(_ context: DecodingError.Context) -> String {
        let names = context.codingPath.suffix(8).map { key in
            key.intValue.map(String.init)
                ?? String(String.UnicodeScalarView(key.stringValue.unicodeScalars.prefix(40).filter { $0.value > 31 }))
        }
        return names.isEmpty ? "the answer" : names.joined(separator: ".")
    }
}

extension SourceFailure {
    /// For logs and metrics: few different ones.
    var kind: String {
        switch self {
        case .off: "off"
        case .keyRefused: "key_refused"
        case .busy: "busy"
        case .tooSlow: "too_slow"
        case .unavailable: "unavailable"
        case .badAnswer: "bad_answer"
        }
    }
}
