package import HTTPTypes

/// Fields that HTTPTypes lacks.
extension HTTPField.Name {
    package static let acceptCH = Self("Accept-CH")!
    package static let cacheStatus = Self("Cache-Status")!
    package static let clientRatio = Self("Sec-CH-DPR")!
    package static let clientWidth = Self("Sec-CH-Width")!
    package static let contentTypeOptions = Self("X-Content-Type-Options")!
    package static let fetchSite = Self("Sec-Fetch-Site")!
    package static let forwarded = Self("Forwarded")!
    package static let frameOptions = Self("X-Frame-Options")!
    package static let link = Self("Link")!
    package static let referrerPolicy = Self("Referrer-Policy")!
    package static let requestID = Self("X-Request-Id")!
    package static let saveData = Self("Save-Data")!
    package static let serverTiming = Self("Server-Timing")!
    package static let timingAllowOrigin = Self("Timing-Allow-Origin")!
    package static let xForwardedFor = Self("X-Forwarded-For")!
}

extension HTTPFields {
    /// Lets pages of every origin embed the response, read it, and see its timing.
    package mutating func openToAllOrigins() {
        self.letScriptsRead()
        self[.crossOriginResourcePolicy] = "cross-origin"
        self[.timingAllowOrigin] = "*"
    }

    package mutating func letScriptsRead() {
        self[.accessControlAllowOrigin] = "*"
        self[.accessControlExposeHeaders] = Self.exposedNames
    }

    /// Exposed in addition to the CORS-safelisted response-header names (Fetch).
    package static let exposedNames =
        "Age, Cache-Status, Content-Range, ETag, Link, Retry-After, Server-Timing, X-Request-Id"
}
