@testable import PosterCodec

extension HostileFiles {
    /// AVIFs that need more decoder memory than others of their size, and small ones for a fuzzer.
    static let avif: [File] = [
        File(name: "avif-tiles") {
            EncodedAVIF(width: 1024, height: 1024, tiles: (across: 4, down: 4)).bytes
        },
        File(name: "avif-wide") {
            EncodedAVIF(width: 16_384, height: 64, depth: 12, chroma: .s444, hasAlpha: true).bytes
        },
        File(name: "avif-high") {
            EncodedAVIF(width: 64, height: 8192, depth: 10, chroma: .s422, hasAlpha: true).bytes
        },
        File(name: "avif-noise") {
            EncodedAVIF(
                width: 512, height: 512, depth: 12, chroma: .s444, hasAlpha: true,
                pixel: { x, y in (0..<4).map { (x * x * 7 + y * y * 13 + x * y * ($0 + 3)) % 256 } }
            ).bytes
        },
        File(name: "avif-grid") {
            let cell = try HEIFFile.Cell(EncodedAVIF(width: 64, height: 64))
            return HEIFFile(cell, columns: 16, rows: 16).bytes
        },
        File(name: "avif-grid-row") {
            let cell = try HEIFFile.Cell(EncodedAVIF(width: 64, height: 64, depth: 12, chroma: .s444))
            return HEIFFile(cell, columns: 256, rows: 1).bytes
        },
        File(name: "avif-repeated") {
            let cell = try HEIFFile.Cell(EncodedAVIF(width: 512, height: 512))
            var file = HEIFFile(cell)
            file.items[0].data = (0..<8).flatMap { _ in cell.data }
            return file.bytes
        },
        File(name: "avif-parts") {
            let cell = try HEIFFile.Cell(EncodedAVIF(width: 256, height: 256))
            var file = HEIFFile(cell)
            file.items[0].parts = 64
            return file.bytes
        },
        File(name: "avif-metadata") {
            let cell = try HEIFFile.Cell(EncodedAVIF(width: 256, height: 256))
            var file = HEIFFile(cell)
            let metadata = AV1UnitsTests.metadata(AV1Units.mostMetadata)
            file.items[0].data = AV1UnitsTests.inserting(metadata, behindHeaderOf: cell.data)
            return file.bytes
        },
        File(name: "avif-animation") { EncodedAVIF(width: 40, height: 30, hasAlpha: true, frameCount: 4).bytes },
        File(name: "avif-small") { EncodedAVIF(width: 16, height: 16).bytes },
        File(name: "avif-small-alpha") { EncodedAVIF(width: 16, height: 16, depth: 10, hasAlpha: true).bytes },
        File(name: "avif-turned") {
            let properties = [
                HEIFFile.colours(9, 1, 9), AVIFHeaderTests.aperture(20, 12, across: (-11, 1), down: (-3, 1)),
                HEIFFile.box("irot", [1]), HEIFFile.box("imir", [0]),
            ]
            return HEIFFile(try HEIFFile.Cell(EncodedAVIF()), adding: properties).bytes
        },
    ]

    static let heic: [File] = [
        File(name: "heic-grid") { HEIFFile(HEVCSample.s420.cell, columns: 16, rows: 16).bytes },
        File(name: "heic-grid-row") { HEIFFile(HEVCSample.deep444.cell, columns: 256, rows: 1).bytes },
        File(name: "heic-alpha") { try HEICDecodingTests.withAlpha(.deep420).bytes },
        File(name: "heic-repeated") {
            var cell = HEVCSample.sliced.cell
            // The second slice again and again.
            let start = 4 + Int(cell.data[2]) << 8 + Int(cell.data[3])
            let last = Array(cell.data[start...])
            for _ in 0..<500 { cell.data += last }
            return HEIFFile(cell).bytes
        },
        File(name: "heic-parts") {
            var file = HEIFFile(HEVCSample.s422.cell)
            file.items[0].parts = 64
            return file.bytes
        },
    ]

    static let gif: [File] = [
        File(name: "gif-small") { GIFTests.file().bytes },
        File(name: "gif-interlaced") {
            GIFTests.file(width: 1000, height: 1000) {
                $0.isInterlaced = true
                $0.transparentIndex = 3
            }.bytes
        },
        File(name: "gif-strings") {
            // Each code refers to the entry that it defines: strings grow up to 4096 indices.
            let indices = [Int](repeating: 1, count: 1 << 20)
            return GIFTests.file(width: 1024, height: 1024) { $0.data = GIFFile.compressed(indices, codeSize: 4) }.bytes
        },
        File(name: "gif-wide") { GIFTests.file(width: 65_500, height: 8).bytes },
    ]
}
