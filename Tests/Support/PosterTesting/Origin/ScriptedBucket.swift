import Synchronization

/// An S3 bucket in memory, served by an ``OriginServer``, with faults. Signatures are not checked.
public final class ScriptedBucket: Sendable {
    /// An object in the bucket.
    public struct Object: Sendable, Hashable {
        /// The object's content.
        public var bytes: [UInt8]
        /// The fields `x-amz-meta-…` by lower-case name.
        public var fields: [String: String]

        /// Creates an object.
        public init(bytes: [UInt8], fields: [String: String]) {
            (self.bytes, self.fields) = (bytes, fields)
        }
    }

    /// A response to all requests that replaces the bucket's.
    public enum Fault: Sendable {
        /// An error with this status and code.
        case error(status: Int, code: String)
        /// No response.
        case hangs
        /// A script of the test.
        case answers(@Sendable (OriginRequest) -> OriginScript)
    }

    private struct State {
        var objects: [String: Object] = [:]
        var fault: Fault?
    }

    /// How a conditional write with `If-None-Match: *` to an existing object is handled.
    public enum Conditions: Sendable {
        /// It fails with 412.
        case honoured
        /// It replaces the object.
        case ignored
        /// It fails with 501.
        case refused
    }

    private let path: String
    private let conditions: Conditions
    private let pageLength: Int
    private let state = Mutex(State())

    /// Creates an empty bucket that answers all requests for which the origin has no script.
    ///
    /// - Parameters:
    ///   - name: The bucket's name in paths.
    ///   - pageLength: The maximum number of objects per page of a list.
    public init(_ name: String, on origin: OriginServer, conditions: Conditions = .honoured, pageLength: Int = 1000) {
        self.path = "/\(name)/"
        self.conditions = conditions
        self.pageLength = pageLength
        origin.onAnythingElse { self.script(for: $0) }
    }

    /// The objects by key.
    public var objects: [String: Object] {
        get { self.state.withLock { $0.objects } }
        set { self.state.withLock { $0.objects = newValue } }
    }

    /// Changes an existing object.
    public func change(_ key: String, _ change: (inout Object) -> Void) {
        self.state.withLock { state in
            guard var object = state.objects[key] else { return }
            change(&object)
            state.objects[key] = object
        }
    }

    /// Sets the fault of all following requests; `nil` clears it.
    public func fail(_ fault: Fault?) {
        self.state.withLock { $0.fault = fault }
    }

    private func script(for request: OriginRequest) -> OriginScript {
        switch self.state.withLock({ $0.fault }) {
        case .error(let status, let code): return Self.error(status, code)
        case .hangs: return .hangBeforeHeaders
        case .answers(let script): return script(request)
        case nil: break
        }
        guard request.path.hasPrefix(self.path) else { return Self.error(404, "NoSuchBucket") }
        let key = String(request.path.dropFirst(self.path.count))
        switch request.method {
        case "GET" where key.isEmpty: return self.list(request.target)
        case "GET": return self.get(key, request)
        case "PUT": return self.put(key, request)
        case "DELETE":
            self.state.withLock { state in state.objects[key] = nil }
            return OriginScript([.head(status: 204, headers: [])])
        default: return Self.error(405, "MethodNotAllowed")
        }
    }

    private func get(_ key: String, _ request: OriginRequest) -> OriginScript {
        guard let object = self.objects[key] else { return Self.error(404, "NoSuchKey") }
        return .answer(
            headers: [("ETag", "\"\(object.bytes.count)\"")] + object.fields.map { ($0.key, $0.value) },
            body: object.bytes)
    }

    private func put(_ key: String, _ request: OriginRequest) -> OriginScript {
        if request.headers["if-none-match"] == "*" {
            switch self.conditions {
            case .honoured where self.objects[key] != nil: return Self.error(412, "PreconditionFailed")
            case .refused: return Self.error(501, "NotImplemented")
            case .honoured, .ignored: break
            }
        }
        let fields = request.headers.filter { $0.key.hasPrefix("x-amz-meta-") }
        self.state.withLock { $0.objects[key] = Object(bytes: request.body, fields: fields) }
        return .answer()
    }

    private func list(_ target: String) -> OriginScript {
        let query = target.split(separator: "?").dropFirst().first?.split(separator: "&") ?? []
        func value(_ name: String) -> String {
            (query.first { $0.hasPrefix(name + "=") }?.dropFirst(name.count + 1)).map {
                $0.split(separator: "%2F", omittingEmptySubsequences: false).joined(separator: "/")
            } ?? ""
        }
        let after = value("continuation-token")
        let keys = self.objects.keys.sorted().filter { $0.hasPrefix(value("prefix")) && $0 > after }
        let page = keys.prefix(self.pageLength)
        let entries = page.map { key in
            "<Contents><Key>\(key)</Key><Size>\(self.objects[key]?.bytes.count ?? 0)</Size></Contents>"
        }.joined(separator: "\n")
        let isTruncated = page.count < keys.count
        let next = isTruncated ? "<NextContinuationToken>\(page.last ?? "")</NextContinuationToken>" : ""
        let text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><IsTruncated>\(isTruncated)</IsTruncated>
            \(next)\(entries)</ListBucketResult>
            """
        return .answer(headers: [("Content-Type", "application/xml")], body: Array(text.utf8))
    }

    private static func error(_ status: Int, _ code: String) -> OriginScript {
        let text = "<?xml version=\"1.0\"?>\n<Error><Code>\(code)</Code><Message>scripted</Message></Error>"
        return .answer(status: status, headers: [("Content-Type", "application/xml")], body: Array(text.utf8))
    }
}
