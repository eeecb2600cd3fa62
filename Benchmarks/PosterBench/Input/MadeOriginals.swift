import CPosterBench
import FoundationEssentials
import Glibc

/// One committed poster in every coding and size: made once, then kept in a folder.
struct MadeOriginals {
    /// 2000×3000, with film grain.
    static let poster = "bench-data/originals/nosferatu-1922.jpg"
    /// Of the JPEGs and the lossy WebPs.
    static let quality: Int32 = 90
    /// In the folder's name: files that another recipe made are not taken for these.
    private static let recipe = 1

    private let folder: String

    /// - Parameter folder: Need not be there.
    init(in folder: String = ".build/bench-originals") {
        self.folder = "\(folder)-\(Self.recipe)"
    }

    /// The file's path; the file is made if it is missing.
    func file(_ kind: OriginalKind, _ size: OriginalSize) throws -> String {
        let path = "\(self.folder)/\(size.width)x\(size.height)-\(kind.fileName)"
        if FileManager.default.fileExists(atPath: path) { return path }
        do {
            try FileManager.default.createDirectory(atPath: self.folder, withIntermediateDirectories: true)
        } catch {
            throw BenchError("cannot make the folder \(self.folder): \(error)")
        }
        // Under another name first, so that what was broken off is not taken for a whole file.
        let draft = "\(path).part"
        let bitmap = try Self.bitmap(size)
        guard Self.write(bitmap, as: kind, to: draft) != 0, rename(draft, path) == 0 else {
            throw BenchError("cannot write \(path)")
        }
        return path
    }

    private static func write(_ bitmap: borrowing Bitmap, as kind: OriginalKind, to path: String) -> Int32 {
        let (width, height) = (UInt32(bitmap.width), UInt32(bitmap.height))
        return switch kind {
        case .baselineJPEG: poster_bench_write_jpeg(path, bitmap.samples, width, height, self.quality, 0)
        case .progressiveJPEG: poster_bench_write_jpeg(path, bitmap.samples, width, height, self.quality, 1)
        case .png: poster_bench_write_png(path, bitmap.samples, width, height, 0)
        case .interlacedPNG: poster_bench_write_png(path, bitmap.samples, width, height, 1)
        case .lossyWebP: poster_bench_write_webp(path, bitmap.samples, width, height, self.quality, 0)
        case .losslessWebP: poster_bench_write_webp(path, bitmap.samples, width, height, self.quality, 1)
        }
    }

    private static func bitmap(_ size: OriginalSize) throws -> Bitmap {
        guard FileManager.default.fileExists(atPath: self.poster) else {
            throw BenchError("there is no \(self.poster): run poster-bench from the repository's root, or name files")
        }
        let whole = try WholeDecoder.decode(MappedFile(self.poster))
        return switch size {
        case .small: whole.halved().halved()
        case .medium: whole.halved()
        case .usual: whole
        case .large: whole.tiled()
        }
    }
}
