import ClusterState
import Foundation
import PosterTesting
import RedisClient
import Testing

@testable import OneSheetConfiguration

/// The settings of a Redis server shared by nodes.
struct RedisSettingsTests {
    private let folder = TemporaryFolder()

    private func settings(_ given: [String: String]) throws -> RedisSettings? {
        try RedisSettings(Settings(given.mapValues { [$0] }, environment: [:]))
    }

    @Test func thereIsNoneUnlessOneIsGiven() throws {
        #expect(try self.settings([:]) == nil)
        #expect(try self.settings(["redis-timeout": "0.01"]) == nil)
    }

    @Test func defaultsAreThoseOfTheStore() throws {
        let redis = try #require(try self.settings(["redis": "redis://cache.test"]))
        #expect(redis.client.address.port == 6379 && redis.client.prefix == "onesheet:")
        let variants = try #require(redis.variants)
        #expect(variants.readTimeout == .milliseconds(5) && variants.byteLimit == 1 << 20)
        #expect(variants.timeToLive == .seconds(604_800))
    }

    @Test func allCanBeSet() throws {
        let redis = try #require(
            try self.settings([
                "redis": "rediss://u:p@cache.test:7000/2", "redis-prefix": "posters:", "redis-timeout": "0.02",
                "redis-variant-bytes": "64KiB", "redis-variants-ttl": "60",
            ]))
        #expect(redis.client.address.isEncrypted && redis.client.address.database == 2)
        #expect(redis.client.prefix == "posters:")
        #expect(redis.variants?.readTimeout == .milliseconds(20) && redis.variants?.byteLimit == 64 << 10)
        #expect(redis.variants?.timeToLive == .seconds(60))
    }

    @Test func variantsNeedNotBeStoredThere() throws {
        let redis = try self.settings(["redis": "redis://cache.test", "redis-variant-bytes": "0"])
        #expect(redis != nil && redis?.variants == nil)
    }

    @Test(arguments: [
        ("redis", "cache.test:6379"), ("redis", "http://cache.test"), ("redis", "redis://cache.test/x"),
        ("redis-timeout", "0"), ("redis-prefix", "a b"), ("redis-variants-ttl", "0"), ("redis-variant-bytes", "x"),
    ])
    func otherValuesAreRefused(option: String, value: String) {
        let error = #expect(throws: SettingError.self) {
            try self.settings(["redis": "redis://cache.test"].merging([option: value]) { $1 })
        }
        #expect(error?.description.hasPrefix("--\(option) ") == true, "\(String(describing: error))")
    }

    @Test(arguments: ["redis://user:se-cret@h:x", "redis://:se-cret@h/x", "redis://:se-cret@h?x=1"])
    func aPasswordIsNotInAnError(_ value: String) {
        let error = #expect(throws: SettingError.self) { try self.settings(["redis": value]) }
        #expect(error?.description.contains("se-cret") == false, "\(String(describing: error))")
    }

    @Test func filesHaveToBeThere() throws {
        let path = self.folder.path + "/password"
        let redis = try #require(
            try self.settings(["redis": "redis://cache.test", "redis-password-file": path]))
        #expect(throws: SettingError.self) { try redis.checkFiles() }
        try Data("se-cret\n".utf8).write(to: URL(filePath: path))
        try redis.checkFiles()
    }
}
