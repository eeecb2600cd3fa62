import FoundationEssentials
import HTTPFetch
import HTTPSemantics
import HTTPServer
package import ObjectStorage

/// The settings of the S3-compatible store of originals that nodes share; its keys come from a file or the environment.
package struct SharedStoreSettings: Sendable {
    package var client: S3Client.Configuration
    /// `nil` uses the environment's keys.
    package var credentialsFile: String?

    private static let option = "originals"
    private static let defaultRegion = "us-east-1"

    /// - Parameter fetch: The limits of fetches from origins; all but the timeouts apply here too.
    /// - Returns: `nil` without such a store.
    init?(_ settings: Settings, fetch: FetchConfiguration) throws {
        let region = try Self.region(settings)
        let endpoint = try Self.endpoint(settings)
        let isPathStyle =
            settings.text("originals-path-style") == nil ? nil : try settings.isOn("originals-path-style")
        let timeout = try settings.seconds("originals-timeout", in: 0.01...60)
        self.credentialsFile = settings.text("originals-credentials")
        guard let text = settings.text(Self.option) else { return nil }
        do throws(BucketAddress.Malformed) {
            let address = try BucketAddress(text, endpoint: endpoint, region: region, usesPathStyle: isPathStyle)
            self.client = S3Client.Configuration(address: address, region: region)
        } catch {
            throw SettingError(option: Self.option, value: text, allowed: "\(BucketAddress.forms); \(error.reason)")
        }
        if let timeout { self.client.answerTimeout = timeout }
        self.client.fetch = fetch
        self.client.breaker = fetch.breaker
    }

    private static func endpoint(_ settings: Settings) throws -> RemoteURL? {
        guard let text = settings.text("originals-endpoint") else { return nil }
        let allowed = "https://host[:port] or http://host[:port]"
        do throws(RemoteURL.Malformed) {
            let url = try RemoteURL(text)
            guard url.path == "/", url.query.isEmpty else { throw RemoteURL.Malformed(reason: "has a path or a query") }
            return url
        } catch {
            throw SettingError(option: "originals-endpoint", value: text, allowed: "\(allowed); this \(error.reason)")
        }
    }

    private static func region(_ settings: Settings) throws -> String {
        try settings.value("originals-region", allowed: "letters, digits and hyphens, at most 64") { text in
            let isName = text.utf8.allSatisfy { $0.isAlphanumeric || "-_".utf8.contains($0) }
            return isName && text.utf8.count <= 64 ? text : nil
        } ?? self.defaultRegion
    }
}

extension SharedStoreSettings {
    /// The current keys in the file or the environment, and whether all users of this machine can read the file.
    /// - Throws: ``SettingError``, which never contains a key.
    package func credentials(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws -> (keys: S3Credentials, isPublic: Bool) {
        guard let path = self.credentialsFile else {
            do throws(S3Credentials.Malformed) {
                return (try S3Credentials(environment: environment), false)
            } catch {
                throw SettingError(
                    option: Self.option, value: self.client.address.text,
                    allowed: "only with keys, in --originals-credentials or in the environment; \(error)")
            }
        }
        func invalid(_ reason: String) -> SettingError {
            SettingError(
                option: "originals-credentials", value: path,
                allowed: "a file with aws_access_key_id and aws_secret_access_key; \(reason)")
        }
        do {
            let file = try SecretFile(path, limit: S3Credentials.fileLimit)
            guard let content = file.content else { throw invalid("it is too long") }
            return (try S3Credentials(file: String(decoding: content, as: UTF8.self)), file.isPublic)
        } catch let error as SecretFile.Unreadable {
            throw invalid(error.reason)
        } catch let error as S3Credentials.Malformed {
            throw invalid("\(error)")
        }
    }
}
