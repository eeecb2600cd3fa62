package import ClusterState
import HTTPSemantics
import HTTPServer
package import RedisClient

/// The settings of the Redis server that nodes share.
package struct RedisSettings: Hashable, Sendable {
    package var client: RedisConfiguration
    /// `nil` if variants are not stored there.
    package var variants: RedisVariantStore.Configuration?

    private static let option = "redis"
    private static let passwordOption = "redis-password-file"
    private static let prefixLimit = 64
    /// The maximum size of a file of authorities or a password, in bytes.
    private static let fileLimit = 1 << 20

    init?(_ settings: Settings) throws {
        var variants = RedisVariantStore.Configuration()
        if let timeout = try settings.seconds("redis-timeout", in: 0.001...1) { variants.readTimeout = timeout }
        if let limit = try settings.byteCount("redis-variant-bytes", atLeast: 0) { variants.byteLimit = limit }
        if let duration = try settings.seconds("redis-variants-ttl", in: 1...31_536_000) {
            variants.timeToLive = duration
        }
        let prefix = try settings.value(
            "redis-prefix", allowed: "letters, digits and -_.:/, at most \(Self.prefixLimit)"
        ) { text in
            let isName = text.utf8.allSatisfy { $0.isAlphanumeric || "-_.:/".utf8.contains($0) }
            return isName && text.utf8.count <= Self.prefixLimit ? text : nil
        }
        let (password, authorities) = (settings.text(Self.passwordOption), settings.text("redis-ca-file"))
        guard let text = settings.text(Self.option) else { return nil }
        do throws(RedisAddress.Malformed) {
            self.client = RedisConfiguration(address: try RedisAddress(text))
        } catch {
            throw SettingError(
                option: Self.option, value: text,
                allowed: "redis[s]://[user[:password]@]host[:port][/database]; \(error)")
        }
        if let prefix { self.client.prefix = prefix }
        self.client.passwordFile = password
        self.client.authorityFile = authorities
        self.variants = variants.byteLimit > 0 ? variants : nil
    }

    /// Reads the configured files, as connecting does.
    /// - Returns: Whether all users of this machine can read the password.
    /// - Throws: ``SettingError``, which never contains the password.
    @discardableResult
    package func checkFiles() throws -> Bool {
        _ = try Self.check(self.client.authorityFile, "redis-ca-file")
        return try Self.check(self.client.passwordFile, Self.passwordOption)
    }

    private static func check(_ path: String?, _ option: String) throws -> Bool {
        guard let path else { return false }
        func invalid(_ reason: String) -> SettingError {
            SettingError(option: option, value: path, allowed: "a file that can be read; \(reason)")
        }
        let file: SecretFile
        do throws(SecretFile.Unreadable) {
            file = try SecretFile(path, limit: self.fileLimit)
        } catch {
            throw invalid(error.reason)
        }
        guard file.content?.isEmpty == false else { throw invalid("it is empty or too long") }
        return file.isPublic
    }
}
