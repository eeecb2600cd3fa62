import ObjectStorage
import PosterPipeline
import Testing

@testable import PosterOrigins

struct OriginalObjectTests {
    private func object(
        id: String = "mine:heat", location: String = "http://a.test/heat.jpg", etag: String? = "\"v 1\"",
        lastModified: String? = "Sat, 04 Mar 1922 20:00:00 GMT"
    ) throws -> OriginalObject {
        let header = OriginalFileHeader(
            id: id, location: location, digest: Digest(of: "x").description, length: 12, etag: "old",
            fetchedAt: 1_700_000_000)
        return try #require(
            OriginalObject(
                header, validators: Validators(etag: etag, lastModified: lastModified),
                freshness: Freshness(validatedAt: 1_700_000_500, lifetime: 60)))
    }

    private func fields(_ object: OriginalObject) -> [String: String] {
        Dictionary(uniqueKeysWithValues: object.fields.map { (S3Client.metadataPrefix + $0.name, $0.value) })
    }

    @Test func whatIsWrittenIsRead() throws {
        let object = try self.object()
        #expect(OriginalObject(fields: self.fields(object)) == object)
        let poster = try PosterID(source: "mine", key: "heat")
        #expect(object.isOf(poster, from: .web(url: "http://a.test/heat.jpg")))
        #expect(!object.isOf(poster, from: .web(url: "http://b.test/heat.jpg")))
        #expect(!object.isOf(try PosterID(source: "mine", key: "heat2"), from: .web(url: "http://a.test/heat.jpg")))
        let without = try self.object(etag: nil, lastModified: nil)
        #expect(OriginalObject(fields: self.fields(without)) == without)
    }

    @Test func fieldsAreShortAndPlainWhateverTheTexts() throws {
        let key = String(repeating: "é", count: 250)
        let url = "http://a.test/" + String(repeating: "x%20", count: 400)
        let object = try self.object(
            id: "mine:\(key)", location: OriginalLocation.web(url: url).identity,
            etag: "\"" + String(repeating: "ü ", count: 80) + "\"")
        let fields = self.fields(object)
        #expect(fields.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count } < 2048)
        #expect(fields.values.allSatisfy { $0.utf8.allSatisfy { (0x21...0x7E).contains($0) } })
        let read = try #require(OriginalObject(fields: fields))
        #expect(read.isOf(try PosterID(source: "mine", key: key), from: .web(url: url)))
        #expect(read.validators.etag == nil, "one that is too long is left out")
    }

    @Test(arguments: ["version", "id", "location", "digest", "length", "fetched-at", "validated-at", "lifetime"])
    func anObjectWithoutOneOfThemIsNone(field: String) throws {
        var fields = self.fields(try self.object())
        fields[S3Client.metadataPrefix + field] = nil
        #expect(OriginalObject(fields: fields) == nil)
        fields[S3Client.metadataPrefix + field] = "-1"
        #expect(["id", "location", "lifetime"].contains(field) || OriginalObject(fields: fields) == nil)
    }

    @Test func keysAreFannedOutByTheDigestOfTheId() throws {
        let id = Digest(of: "mine:heat")
        let key = OriginalObject.key(of: id)
        #expect(key == "\(id.description.prefix(2))/\(id).original")
        #expect(OriginalObject.id(ofKey: key) == id)
        for other in ["", "probe", "00/\(id).original", key.uppercased(), key + "x", "x" + key] {
            #expect(OriginalObject.id(ofKey: other) == nil, "\(other)")
        }
    }
}
