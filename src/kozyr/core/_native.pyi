from librt.strings import BytesWriter as BytesWriter
from librt.strings import write_i64_le as write_i64_le
from librt.vecs import vec as vec
from mypy_extensions import i64 as i64
from mypy_extensions import mypyc_attr as mypyc_attr
