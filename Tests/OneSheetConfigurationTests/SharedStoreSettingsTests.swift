import Foundation
import HTTPFetch
import ObjectStorage
import PosterTesting
import Testing

@testable import OneSheetConfiguration

/// The settings of a store of originals shared by nodes.
struct SharedStoreSettingsTests {
    private let folder = TemporaryFolder()

    private func settings(_ given: [String: String]) throws -> SharedStoreSettings? {
        try SharedStoreSettings(
            Settings(given.mapValues { [$0] }, environment: [:]), fetch: FetchConfiguration())
    }

    @Test func thereIsNoneUnlessOneIsGiven() throws {
        #expect(try self.settings([:]) == nil)
        #expect(try self.settings(["originals-endpoint": "http://127.0.0.1:9000"]) == nil)
    }

    @Test func theBucketOfAmazonIsInTheHostAndThatOfAnotherInThePath() throws {
        let amazon = try #require(try self.settings(["originals": "s3://posters/p", "originals-region": "eu-west-1"]))
        #expect(amazon.client.address.origin == "https://posters.s3.eu-west-1.amazonaws.com")
        #expect(amazon.client.answerTimeout == .milliseconds(500) && amazon.client.readTimeout == .seconds(5))
        let other = try #require(
            try self.settings([
                "originals": "s3://posters", "originals-endpoint": "http://127.0.0.1:9000", "originals-timeout": "2",
            ]))
        #expect(other.client.address.origin == "http://127.0.0.1:9000" && other.client.region == "us-east-1")
        #expect(other.client.answerTimeout == .seconds(2))
        let named = try #require(
            try self.settings([
                "originals": "s3://posters", "originals-endpoint": "https://s.test", "originals-path-style": "false",
            ]))
        #expect(named.client.address.origin == "https://posters.s.test")
    }

    @Test(arguments: [
        ("originals", "posters"), ("originals", "s3://x"), ("originals-endpoint", "s.test"),
        ("originals-endpoint", "https://s.test/x"), ("originals-endpoint", "ftp://s.test"),
        ("originals-region", "a/b"), ("originals-timeout", "0"), ("originals-path-style", "maybe"),
    ])
    func otherValuesAreRefused(option: String, value: String) {
        let error = #expect(throws: SettingError.self) {
            try self.settings(["originals": "s3://posters"].merging([option: value]) { $1 })
        }
        #expect(error?.description.hasPrefix("--\(option) ") == true, "\(String(describing: error))")
    }

    @Test func keysComeFromTheFileElseFromTheEnvironment() throws {
        let environment = ["AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b"]
        let without = try #require(try self.settings(["originals": "s3://posters"]))
        #expect(try without.credentials(environment: environment).keys.accessKeyID == "a")
        #expect(throws: SettingError.self) { try without.credentials(environment: [:]) }
        let path = self.folder.path + "/keys"
        let with = try #require(try self.settings(["originals": "s3://posters", "originals-credentials": path]))
        #expect(throws: SettingError.self) { try with.credentials(environment: environment) }
        try Data("aws_access_key_id=c\naws_secret_access_key=very-secret\n".utf8).write(to: URL(filePath: path))
        #expect(try with.credentials(environment: environment).keys.accessKeyID == "c")
        try Data("aws_access_key_id=c\naws_secret_access_key=very secret\n".utf8).write(to: URL(filePath: path))
        let error = #expect(throws: SettingError.self) { try with.credentials(environment: environment) }
        #expect(error.map { !$0.description.contains("very") } == true)
    }
}
