/// The fields of an answer that decide how long it may be used (RFC 9111, 5). Dates are in seconds since 1970.
public struct CachingFields: Hashable, Sendable {
    /// `Cache-Control`, its lines joined by commas.
    public var cacheControl: String?
    /// `Expires`; a date in the past for one that cannot be read, which the RFC wants it taken for.
    public var expires: Int64?
    /// `Date`; nil for one that cannot be read.
    public var date: Int64?
    /// `Age`: seconds that the answer has spent in caches on the way.
    public var age: Int64?

    /// None, unless given.
    public init(cacheControl: String? = nil, expires: Int64? = nil, date: Int64? = nil, age: Int64? = nil) {
        self.cacheControl = cacheControl
        self.expires = expires
        self.date = date
        self.age = age
    }
}

extension CachingFields {
    /// Whether the answer says for how long it is fresh.
    var saysLifetime: Bool { self.lifetime(receivedAt: 0) != nil }

    /// For how many seconds the answer is fresh from the moment it was made, by its own word; nil when it says nothing.
    ///
    /// `s-maxage` before `max-age` before `Expires` (RFC 9111, 4.2.1). `no-store` and `no-cache` count as 0: the
    /// operator's floor decides how often such an origin is asked.
    ///
    /// - Parameter now: Stands in for a `Date` that is missing (RFC 9110, 6.6.1).
    func lifetime(receivedAt now: Int64) -> Int64? {
        let directives = self.directives
        if directives["no-store"] != nil || directives["no-cache"] != nil { return 0 }
        for name in ["s-maxage", "max-age"] {
            guard let value = directives[name] else { continue }
            return Self.seconds(value)
        }
        guard let expires else { return nil }
        let (lifetime, overflow) = expires.subtractingReportingOverflow(self.date ?? now)
        return overflow ? 0 : max(0, lifetime)
    }

    /// By name in lower case; the first of each counts (RFC 9111, 4.2.1), values without their quotation marks.
    private var directives: [String: String] {
        var directives: [String: String] = [:]
        var name: [UInt8] = []
        var value: [UInt8] = []
        var isInValue = false
        var isQuoted = false
        func end() {
            let key = String(decoding: name, as: UTF8.self).lowercased()
            if !key.isEmpty, directives[key] == nil { directives[key] = String(decoding: value, as: UTF8.self) }
            (name, value, isInValue) = ([], [], false)
        }
        for byte in (self.cacheControl ?? "").utf8 {
            switch byte {
            case UInt8(ascii: "\""): isQuoted.toggle()
            case UInt8(ascii: ",") where !isQuoted: end()
            case UInt8(ascii: "=") where !isInValue: isInValue = true
            case UInt8(ascii: " "), UInt8(ascii: "\t"): break
            default: isInValue ? value.append(byte) : name.append(byte)
            }
        }
        end()
        return directives
    }

    /// What cannot be read counts as stale (RFC 9111, 4.2.1); what is too large, as 2³¹ (1.2.2).
    private static func seconds(_ text: String) -> Int64 {
        guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return 0 }
        return min(Int64(text) ?? 1 << 31, 1 << 31)
    }
}
