import HTTPFetch
import HTTPSemantics

/// Access keys of an account at an S3-compatible store.
package struct S3Credentials: Hashable, Sendable {
    /// Why a text contains no valid keys.
    package struct Malformed: Error, Hashable, Sendable, CustomStringConvertible {
        /// A clause; contains no key.
        package let description: String
    }

    /// Maximum size of a file of keys, in bytes.
    package static let fileLimit = 64 << 10
    /// Maximum length of a value, in bytes; session tokens have some 2 KiB.
    private static let valueLimit = 8 << 10

    package let accessKeyID: String
    package let secretAccessKey: String
    /// Token of temporary credentials; `nil` for permanent ones.
    package let sessionToken: String?

    /// - Throws: ``Malformed`` if a value is empty, too long, or contains spaces or control characters.
    package init(accessKeyID: String, secretAccessKey: String, sessionToken: String? = nil) throws(Malformed) {
        for (name, value) in [
            ("access key id", accessKeyID), ("secret access key", secretAccessKey), ("session token", sessionToken),
        ] {
            guard let value else { continue }
            guard !value.isEmpty, value.utf8.count <= Self.valueLimit,
                value.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
            else {
                throw Malformed(
                    description:
                        "the \(name) must be printable ASCII without spaces, at most \(Self.valueLimit) bytes")
            }
        }
        self.accessKeyID = accessKeyID
        self.secretAccessKey = secretAccessKey
        self.sessionToken = sessionToken
    }

    /// Reads the credentials file of AWS's tools: lines `name = value`, of section `[default]` or before any section.
    package init(file text: String) throws(Malformed) {
        var values: [String: String] = [:]
        var isIncluded = true
        for line in text.split(whereSeparator: \.isNewline) {
            let line = line.trimmingBlanks
            guard let first = line.first, first != "#", first != ";" else { continue }
            if first == "[" {
                isIncluded = line == "[default]"
                continue
            }
            guard isIncluded else { continue }
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else {
                throw Malformed(description: "its lines must be name = value, in the section [default]")
            }
            values[parts[0].trimmingBlanks.lowercased()] = String(parts[1].trimmingBlanks)
        }
        try self.init(
            values, idName: "aws_access_key_id", secretName: "aws_secret_access_key", tokenName: "aws_session_token")
    }

    /// Reads the environment variables of AWS's tools.
    package init(environment: [String: String]) throws(Malformed) {
        try self.init(
            environment.filter { !$0.value.isEmpty }, idName: "AWS_ACCESS_KEY_ID", secretName: "AWS_SECRET_ACCESS_KEY",
            tokenName: "AWS_SESSION_TOKEN")
    }

    private init(
        _ values: [String: String], idName: String, secretName: String, tokenName: String
    ) throws(Malformed) {
        guard let id = values[idName], let secret = values[secretName] else {
            throw Malformed(description: "\(idName) and \(secretName) are required")
        }
        try self.init(accessKeyID: id, secretAccessKey: secret, sessionToken: values[tokenName])
    }
}

extension S3Credentials: Redacted {
    /// The access key's id, which is not secret.
    package var description: String { "credentials \(self.accessKeyID)" }
}
