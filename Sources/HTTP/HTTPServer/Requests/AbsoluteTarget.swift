import HTTPSemantics
import NIOHTTP1

/// A request's target in absolute form (RFC 9112, 3.2.2). Its authority is that of the request, and `Host` is ignored: what
/// a client or a cache asked for is in the target, and the field may name another host.
struct AbsoluteTarget: Hashable {
    /// Host and port in lower case, without the scheme's own port.
    let authority: String
    /// Path and query; `*` for `OPTIONS` of a whole server (RFC 9112, 3.2.4).
    let target: String

    /// - Returns: nil for a target in another form.
    /// - Throws: ``Problem`` of the kind `malformed-request`, for an authority that is no host and port.
    init?(_ uri: String, method: HTTPMethod) throws(Problem) {
        // Most targets begin with a slash.
        guard uri.utf8.first != UInt8(ascii: "/") else { return nil }
        let start = uri.prefix(8).lowercased()
        guard let scheme = ["http://", "https://"].first(where: start.hasPrefix) else { return nil }
        let rest = uri.utf8.dropFirst(scheme.utf8.count)
        let end = rest.firstIndex(where: "/?#".utf8.contains) ?? rest.endIndex
        do throws(RemoteURL.Malformed) {
            self.authority = try URLAuthority(Substring(rest[..<end]), isTLS: scheme == "https://").text
        } catch {
            throw Problem(.malformedRequest, "the target \(error.reason); RFC 9112, 3.2.2")
        }
        if end == rest.endIndex {
            self.target = method == .OPTIONS ? "*" : "/"
        } else {
            self.target = (rest[end] == UInt8(ascii: "/") ? "" : "/") + uri[end...]
        }
    }

    /// - Returns: The same request in origin form, with the authority as its `Host`; requests in other forms as they are.
    /// - Throws: As ``init(_:method:)``.
    static func inOriginForm(_ head: HTTPRequestHead) throws(Problem) -> HTTPRequestHead {
        guard let absolute = try AbsoluteTarget(head.uri, method: head.method) else { return head }
        var head = head
        head.uri = absolute.target
        head.headers.replaceOrAdd(name: "Host", value: absolute.authority)
        return head
    }
}
