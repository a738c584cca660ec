"""The part of the CUDA driver's API that loading PTX and launching a kernel needs."""

import ctypes

from . import cases


class NoDevice(Exception):
    pass


class LaunchFailed(Exception):
    pass


SCALARS = {"i32": ctypes.c_int32, "u32": ctypes.c_uint32, "f32": ctypes.c_float, "f64": ctypes.c_double}
# CUfunction_attribute
RESOURCES = {"shared_bytes": 1, "const_bytes": 2, "local_bytes": 3, "registers": 4, "ptx_version": 5, "binary_version": 6}
COMPUTE_CAPABILITY_MAJOR, COMPUTE_CAPABILITY_MINOR = 75, 76  # CUdevice_attribute


class Gpu:
    def __init__(self):
        try:
            self.cuda = ctypes.CDLL("libcuda.so.1")
        except OSError as error:
            raise NoDevice(f"the CUDA driver cannot be loaded ({error}); run on a machine with an NVIDIA GPU")
        try:
            self.call("cuInit", 0)
        except LaunchFailed as error:
            raise NoDevice(str(error))
        self.device = ctypes.c_int()
        self.call("cuDeviceGet", ctypes.byref(self.device), 0)
        context = ctypes.c_void_p()
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), self.device)
        self.call("cuCtxSetCurrent", context)
        self.functions = {}

    def call(self, name, *arguments):
        code = getattr(self.cuda, name)(*arguments)
        if code != 0:
            text = ctypes.c_char_p()
            self.cuda.cuGetErrorString(code, ctypes.byref(text))
            raise LaunchFailed(f"{name} answered {code}: {(text.value or b'no text').decode()}")

    def attribute(self, which):
        value = ctypes.c_int()
        self.call("cuDeviceGetAttribute", ctypes.byref(value), which, self.device)
        return value.value

    def describe(self):
        name = ctypes.create_string_buffer(256)
        self.call("cuDeviceGetName", name, 256, self.device)
        version = ctypes.c_int()
        self.call("cuDriverGetVersion", ctypes.byref(version))
        try:
            with open("/proc/driver/nvidia/version") as file:
                driver = file.readline().strip()
        except OSError:
            driver = "unknown"
        return {
            "name": name.value.decode(),
            "compute_capability": f"{self.attribute(COMPUTE_CAPABILITY_MAJOR)}.{self.attribute(COMPUTE_CAPABILITY_MINOR)}",
            "cuda": f"{version.value // 1000}.{version.value % 1000 // 10}",
            "driver": driver,
        }

    def function(self, case, root):
        key = (case["module"], case["entry"])
        if key not in self.functions:
            module = ctypes.c_void_p()
            self.call("cuModuleLoadData", ctypes.byref(module), ctypes.c_char_p(cases.ptx(root, case)))
            function = ctypes.c_void_p()
            self.call("cuModuleGetFunction", ctypes.byref(function), module, case["entry"].encode())
            self.functions[key] = function
        return self.functions[key]

    def resources(self, case, root):
        result = {}
        for name, which in RESOURCES.items():
            value = ctypes.c_int()
            self.call("cuFuncGetAttribute", ctypes.byref(value), which, self.function(case, root))
            result[name] = value.value
        return result

    def launch(self, case, root):
        """Runs the case once; bytes of its output buffers by name."""
        function = self.function(case, root)
        held, outputs, buffers = [], {}, []
        try:
            for argument in case["arguments"]:
                if "buffer" not in argument:
                    (kind, number), = argument.items()
                    held.append(SCALARS[kind](number))
                    continue
                data = cases.buffer_bytes(argument)
                pointer = ctypes.c_uint64()
                self.call("cuMemAlloc_v2", ctypes.byref(pointer), ctypes.c_size_t(len(data)))
                buffers.append(pointer)
                self.call("cuMemcpyHtoD_v2", pointer, ctypes.c_char_p(data), ctypes.c_size_t(len(data)))
                held.append(pointer)
                if argument.get("output"):
                    outputs[argument["buffer"]] = (pointer, len(data))
            parameters = (ctypes.c_void_p * len(held))(*(ctypes.addressof(value) for value in held))
            self.call("cuLaunchKernel", function, *map(ctypes.c_uint, case["grid"] + case["block"]),
                      ctypes.c_uint(0), ctypes.c_void_p(), parameters, ctypes.c_void_p())
            self.call("cuCtxSynchronize")
            return {name: self.read(pointer, size) for name, (pointer, size) in outputs.items()}
        except LaunchFailed as error:
            raise LaunchFailed(f"case {case['name']}: {error}")
        finally:
            for pointer in buffers:
                self.cuda.cuMemFree_v2(pointer)

    def read(self, pointer, size):
        data = ctypes.create_string_buffer(size)
        self.call("cuMemcpyDtoH_v2", data, pointer, ctypes.c_size_t(size))
        return data.raw
