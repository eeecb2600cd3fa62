/// Validators of a response as conditional requests can send them back (RFC 9110, 8.8 and 13.1). One that cannot is as good
/// as none: a request with it would be refused, or never match.
public enum ReceivedValidator {
    /// The longest entity tag, in bytes.
    public static let maxTagLength = 256
    /// The longest date, in bytes.
    public static let maxDateLength = 64

    /// The tag of an `ETag`; quotation marks, which some origins leave out, are not required.
    ///
    /// - Returns: nil for a tag with control characters or malformed UTF-8, for one that is too long, and for `*`, which every
    ///   representation would match.
    public static func entityTag(_ text: String) -> String? {
        let isUsable =
            !text.isEmpty && text != "*" && text.utf8.count <= Self.maxTagLength && FieldSyntax.isValue(text)
            // Malformed bytes were replaced when the field was decoded, and cannot be sent as they were.
            && !text.unicodeScalars.contains("\u{FFFD}")
        return isUsable ? text : nil
    }

    /// The date of a `Last-Modified`, as sent.
    ///
    /// - Returns: nil for an empty text, one with other characters than visible ASCII and spaces, and one that is too long.
    public static func lastModified(_ text: String) -> String? {
        let isUsable =
            !text.isEmpty && text.utf8.count <= Self.maxDateLength
            && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
        return isUsable ? text : nil
    }
}
