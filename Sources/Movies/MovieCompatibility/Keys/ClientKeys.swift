import Cryptography
import HTTPServer

/// The keys of clients of the compatible APIs, compared by digest so that the time taken reveals nothing about them.
package struct ClientKeys: Sendable {
    /// An error in a list of keys.
    package struct Malformed: Error, Hashable, Sendable, CustomStringConvertible {
        /// From 1; `nil` for the whole list.
        package let line: Int?
        package let reason: String

        package init(line: Int?, reason: String) {
            self.line = line
            self.reason = reason
        }

        package var description: String { self.line.map { "line \($0) \(self.reason)" } ?? self.reason }
    }

    package static let countLimit = 10_000
    /// The longest key, in bytes.
    package static let keyLimit = 1024
    /// The format of a line, for error messages.
    package static let forms =
        "API KEY, where API is tmdb, kobis, kakao, naver, omdb, rpdb or *, and Naver's KEY is ID:SECRET"
    /// Accepts any key, and requests without one.
    package static let any = ClientKeys(digests: nil)

    /// `nil` accepts any key.
    private let digests: [CompatibleAPI: Set<[UInt8]>]?
    /// The settings of RPDB's keys, by digest; keys without settings have none.
    private let settings: [[UInt8]: KeySettings]

    private init(digests: [CompatibleAPI: Set<[UInt8]>]?) {
        self.digests = digests
        self.settings = [:]
    }

    /// - Parameter text: Lines of ``forms``, behind RPDB's keys with settings `NAME=VALUE`; empty lines, and lines that
    ///   begin with `#`, are ignored.
    package init(_ text: String) throws(Malformed) {
        var digests: [CompatibleAPI: Set<[UInt8]>] = [:]
        var settings: [[UInt8]: KeySettings] = [:]
        let lines = try ClientKeyLine.lines(of: text)
        for line in lines {
            let digest = Self.digest(line.key.utf8)
            for api in line.apis { digests[api, default: []].insert(digest) }
            if line.settings.line != nil { settings[digest] = line.settings }
        }
        guard !lines.isEmpty else { throw Malformed(line: nil, reason: "it has no keys") }
        self.digests = digests
        self.settings = settings
    }

    /// Maximum size of a file, in bytes.
    private static let fileLimit = 1 << 20

    package init(contentsOf path: String) throws(Malformed) {
        try self.init(try Self.text(ofFile: path))
    }

    /// The text of a file of keys.
    package static func text(ofFile path: String) throws(Malformed) -> String {
        let file: SecretFile
        do throws(SecretFile.Unreadable) {
            file = try SecretFile(path, limit: Self.fileLimit)
        } catch {
            throw Malformed(line: nil, reason: "it cannot be read: \(error.reason)")
        }
        guard let content = file.content, let text = String(validating: content, as: UTF8.self) else {
            throw Malformed(line: nil, reason: "it is not a text file of at most \(Self.fileLimit) bytes")
        }
        return text
    }

    package func areRequired(by api: CompatibleAPI) -> Bool { self.digests != nil && api.hasKeys }

    package func accepts(_ key: String?, of api: CompatibleAPI) -> Bool {
        guard let digests, api.hasKeys else { return true }
        guard let key, key.utf8.count <= Self.keyLimit else { return false }
        return digests[api]?.contains(Self.digest(key.utf8)) ?? false
    }

    /// A value for each key of RPDB's, made of its settings.
    ///
    /// - Parameter make: Throws an error with the line, which describes the wrong setting.
    package func values<Value: Sendable>(
        _ make: (KeySettings) throws(Malformed) -> Value
    ) throws(Malformed) -> KeyedValues<Value> {
        let usual = try make(.none)
        guard let digests else { return KeyedValues(usual: usual, values: nil) }
        var values: [[UInt8]: Value] = [:]
        for key in digests[.rpdb] ?? [] { values[key] = try self.settings[key].map(make) ?? usual }
        return KeyedValues(usual: usual, values: values)
    }

    static func digest(_ key: some Sequence<UInt8>) -> [UInt8] {
        SHA256.hash(data: key)
    }
}

/// A value for each accepted client key.
package struct KeyedValues<Value: Sendable>: Sendable {
    /// The value of any key without a list of keys.
    private let usual: Value
    /// By the keys' digests; `nil` accepts any key.
    private let values: [[UInt8]: Value]?

    init(usual: Value, values: [[UInt8]: Value]?) {
        self.usual = usual
        self.values = values
    }

    /// Whether only listed keys are accepted.
    package var areRequired: Bool { self.values != nil }

    /// - Returns: `nil` if the key is not accepted.
    package subscript(key: String) -> Value? {
        guard let values else { return self.usual }
        guard key.utf8.count <= ClientKeys.keyLimit else { return nil }
        return values[ClientKeys.digest(key.utf8)]
    }
}
