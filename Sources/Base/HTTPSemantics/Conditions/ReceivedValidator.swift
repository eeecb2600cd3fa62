/// Validators of an origin's response that conditional requests can send back (RFC 9110, 8.8 and 13.1). Others are
/// dropped: a request with one would be rejected, or never match.
public enum ReceivedValidator {
    /// The maximum length of an entity tag, in bytes.
    public static let maxTagLength = 256
    /// The maximum length of a date, in bytes.
    public static let maxDateLength = 64

    /// The entity tag of an `ETag` field. Quotation marks are not required: some origins omit them.
    ///
    /// - Returns: `nil` for a tag with control characters or malformed UTF-8, for a tag that is empty or too long, and
    ///   for `*`, which matches every representation.
    public static func entityTag(_ text: String) -> String? {
        let isUsable =
            !text.isEmpty && text != "*" && text.utf8.count <= Self.maxTagLength && FieldSyntax.isValue(text)
            // Malformed bytes were replaced when the field was decoded, and cannot be sent back unchanged.
            && !text.unicodeScalars.contains("\u{FFFD}")
        return isUsable ? text : nil
    }

    /// The date of a `Last-Modified` field, unchanged.
    ///
    /// - Returns: `nil` if the text is empty, too long, or has characters other than visible ASCII and spaces.
    public static func lastModified(_ text: String) -> String? {
        let isUsable =
            !text.isEmpty && text.utf8.count <= Self.maxDateLength
            && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
        return isUsable ? text : nil
    }
}
