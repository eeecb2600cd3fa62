import HTTPSemantics
import HTTPTypes
import NIOCore
import PosterPipeline

/// The head of an answer as it goes over the wire, in two parts: one that is the same at every request, and one that
/// tells the time.
struct HitHead {
    /// All that the head of an answer with a variant depends on, beside its target.
    struct Name: Hashable {
        let tag: EntityTag
        let lifetime: CacheControl.Lifetime
        let modifiedAt: Int64?
    }

    /// The part that lasts. The other is ``HitHeadEnd``.
    let bytes: ByteBuffer

    /// - Parameter contentLength: nil for an answer that never has a body.
    init(status: HTTPResponse.Status, fields: HTTPFields, contentLength: Int?) {
        var text = "HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\n"
        for field in fields { text += "\(field.name.rawName): \(field.value)\r\n" }
        if let contentLength { text += "Content-Length: \(contentLength)\r\n" }
        self.bytes = ByteBuffer(string: text)
    }
}
