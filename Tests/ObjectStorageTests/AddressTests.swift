import HTTPFetch
import HTTPSemantics
import Testing

@testable import ObjectStorage

struct AddressTests {
    private func address(
        _ text: String, endpoint: String? = nil, isPathStyle: Bool? = nil
    ) throws -> BucketAddress {
        try BucketAddress(
            text, endpoint: try endpoint.map { try RemoteURL($0) }, region: "eu-central-1", usesPathStyle: isPathStyle)
    }

    @Test func theBucketStandsInTheHostOrInThePath() throws {
        let amazon = try self.address("s3://posters/a b/ö")
        #expect(amazon.origin == "https://posters.s3.eu-central-1.amazonaws.com")
        #expect(amazon.path(of: "c/d.original") == "/a%20b/%C3%B6/c/d.original")
        #expect(amazon.prefix == "a b/ö/" && amazon.text == "s3://posters/a b/ö/")
        let own = try self.address("s3://posters", endpoint: "http://127.0.0.1:9000")
        #expect(own.origin == "http://127.0.0.1:9000" && own.host == "127.0.0.1:9000")
        #expect(own.path(of: "c") == "/posters/c" && own.hostName == "127.0.0.1")
        let named = try self.address("s3://posters/", endpoint: "https://store.test", isPathStyle: false)
        #expect(named.host == "posters.store.test" && named.path(of: "c") == "/c")
        let six = try self.address("s3://posters", endpoint: "http://[::1]:9000")
        #expect(six.hostName == "[::1]" && six.host == "[::1]:9000")
    }

    @Test(arguments: [
        "posters", "http://posters", "s3://", "s3://ab", "s3://Posters", "s3://-posters", "s3://posters/../x",
        "s3://posters//x", "s3://posters/a/%2e%2e/b", "s3://posters/a\nb",
    ])
    func whatIsNoBucketIsRefused(text: String) {
        #expect(throws: BucketAddress.Malformed.self) { try self.address(text) }
    }

    @Test func anEndpointHasNoPath() throws {
        #expect(throws: BucketAddress.Malformed.self) {
            try self.address("s3://posters", endpoint: "https://store.test/x")
        }
    }

    @Test func keysComeFromAFileOrFromTheEnvironment() throws {
        let file = """
            # of the posters
            [other]
            aws_access_key_id = no
            [default]
            aws_access_key_id = AKIDEXAMPLE
            AWS_SECRET_ACCESS_KEY=s/e+c=ret
            aws_session_token = t
            region = x
            """
        let keys = try S3Credentials(file: file)
        #expect(keys.accessKeyID == "AKIDEXAMPLE" && keys.secretAccessKey == "s/e+c=ret" && keys.sessionToken == "t")
        #expect(!"\(keys)".contains("ret") && !String(reflecting: keys).contains("ret"))
        let environment = ["AWS_ACCESS_KEY_ID": "i", "AWS_SECRET_ACCESS_KEY": "s", "AWS_SESSION_TOKEN": ""]
        #expect(try S3Credentials(environment: environment) == S3Credentials(accessKeyID: "i", secretAccessKey: "s"))
    }

    @Test(arguments: [
        "", "aws_access_key_id = a", "aws_access_key_id\naws_secret_access_key = b",
        "[other]\naws_access_key_id = a\naws_secret_access_key = b",
        "aws_access_key_id = a b\naws_secret_access_key = c",
    ])
    func aFileWithoutKeysIsRefusedAndNotQuoted(text: String) {
        let error = #expect(throws: S3Credentials.Malformed.self) { try S3Credentials(file: text) }
        #expect(error.map { !"\($0)".contains("a b") } == true)
    }
}
