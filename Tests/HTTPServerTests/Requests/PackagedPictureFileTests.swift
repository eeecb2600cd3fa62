import Testing

@testable import HTTPServer

@Suite struct PackagedPictureFileTests {
    @Test(
        "pictures have names, and names are of pictures",
        arguments: [
            ("nosferatu-1922", "sample_nosferatu-1922.jpg"), ("nosferatu-1922~2", "sample_nosferatu-1922_2.jpg"),
            ("m-1931", "sample_m-1931.jpg"),
        ])
    func names(key: String, name: String) {
        #expect(PackagedPictureFile.name(of: PictureID(source: "sample", key: key)) == name)
        #expect(PackagedPictureFile.key(of: name[...]) == key)
    }

    @Test(
        "other names are of no packaged picture",
        arguments: [
            "wRbjVBdDo5qHAEOVYoMWpM58FSA.jpg", "sample_.jpg", "sample_a_.jpg", "sample_a_0.jpg", "sample_a_01.jpg",
            "sample_a_1_2.jpg", "sample_A.jpg", "sample_a.png", "sample_a", "a_sample.jpg", "",
        ])
    func others(name: String) {
        #expect(PackagedPictureFile.key(of: name[...]) == nil)
    }

    @Test(
        "pictures of other sources and of longer keys have none",
        arguments: [("tmdb", "603"), ("sample", "Nosferatu"), ("sample", String(repeating: "a", count: 60))])
    func without(source: String, key: String) {
        #expect(PackagedPictureFile.name(of: PictureID(source: source, key: key)) == nil)
    }
}
